//! The program curl, which does HTTP and authentication. Its options, secrets among them, are written to its standard input.

mod compression;
mod configuration;
mod exit;
mod head;
mod messages;
mod user_file;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use ebs_prometheus::{ReadError, ServerError, read_error};

pub use self::head::Head;
pub use self::user_file::check as check_user_file;
use self::{
    configuration::{Configuration, MAX_SECONDS},
    exit::error_of_exit,
    messages::read_messages,
};
use super::credentials::Credentials;
use super::interrupt::Interrupt;
use super::waiting::WaitGuard;
use crate::fetch_error::FetchError;

/// Bytes of a read.
const BUFFER: usize = 256 << 10;
/// Maximum length of the body of an error, bytes.
const MAX_MESSAGE: u64 = 64 << 10;

/// A POST request.
pub struct Request<'a> {
    /// Address.
    pub url: String,
    /// Headers beside those of curl.
    pub headers: &'a [&'a str],
    /// Body, which holds no secret.
    pub body: &'a [u8],
}

/// Sends a request; `read` reads the body of an answer with the status 200 to its end. The wait counts the bytes of the answer.
pub fn execute<T>(
    request: &Request<'_>,
    credentials: &Credentials,
    (interrupt, wait): (&Interrupt, &WaitGuard),
    read: impl FnOnce(&Head, &mut dyn BufRead) -> Result<T, ReadError>,
) -> Result<T, FetchError> {
    interrupt.check()?;
    // A file, because curl's standard input has its options.
    let body = write_body(request.body).map_err(temporary_error)?;
    let configuration = Configuration::new(&request.url, request.headers, body.path(), &credentials.options()?);
    let mut curl = Curl::start(&request.url, credentials, &configuration, interrupt)?;
    let result = curl.read_answer(wait, read);
    let result = curl.finish(result);
    interrupt.check()?;
    result
}

fn write_body(body: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(body)?;
    Ok(file)
}

fn temporary_error(error: std::io::Error) -> FetchError {
    FetchError::File { file: std::env::temp_dir().display().to_string(), error }
}

/// Result of an answer before the exit of curl is known.
enum Answer<T> {
    /// It was read to its end.
    Complete(T),
    /// It ends early, or does not begin: curl says why, or else this.
    Ended(ReadError),
    /// It was not read to its end.
    Abandoned(FetchError),
}

/// A process of curl.
struct Curl<'a> {
    child: Child,
    messages: Option<JoinHandle<String>>,
    interrupt: &'a Interrupt,
    is_tls: bool,
}

impl<'a> Curl<'a> {
    fn start(
        url: &str,
        credentials: &Credentials,
        configuration: &Configuration,
        interrupt: &'a Interrupt,
    ) -> Result<Curl<'a>, FetchError> {
        let mut command = Command::new("curl");
        // The user's ~/.curlrc could redirect the output; --curl-config names a file on purpose.
        command.arg("--disable");
        // Before the user's file, which may set them otherwise.
        command.args(["--max-time", &MAX_SECONDS.to_string()]);
        if compression::is_worthwhile(url) {
            command.arg("--compressed");
        }
        if let Some(file) = &credentials.curl_config {
            command.arg("--config").arg(file);
        }
        command.args(["--config", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(FetchError::StartCurl)?;
        interrupt.register(&child);
        if let Some(mut input) = child.stdin.take() {
            // curl may have ended because of the user's file: its exit says so.
            let _ = input.write_all(configuration.as_bytes());
        }
        let messages = child.stderr.take().map(|stderr| thread::spawn(move || read_messages(stderr)));
        Ok(Curl { child, messages, interrupt, is_tls: url.starts_with("https://") })
    }

    fn read_answer<T>(
        &mut self,
        wait: &WaitGuard,
        read: impl FnOnce(&Head, &mut dyn BufRead) -> Result<T, ReadError>,
    ) -> Answer<T> {
        let ended = |problem: &str| Answer::Ended(ReadError::CutOff(problem.to_owned()));
        let Some(output) = self.child.stdout.take() else { return ended("it does not begin") };
        let mut output = BufReader::with_capacity(BUFFER, wait.counted(output));
        let head = match Head::read(&mut output) {
            Ok(Some(head)) => head,
            Ok(None) => return ended("it does not begin"),
            Err(error) => return Answer::Ended(error.into()),
        };
        if head.status != 200 {
            let mut body = Vec::new();
            let _ = output.take(MAX_MESSAGE).read_to_end(&mut body);
            let mut error = read_error(&body);
            // The page of a redirection has its whole target, which may hold a secret.
            if error.message.is_empty() || head.is_redirection() {
                error = ServerError { kind: String::new(), message: head.reason() };
            }
            return Answer::Abandoned(FetchError::from_status(head.status, &error, head.retry_after()));
        }
        match read(&head, &mut output) {
            Ok(value) => Answer::Complete(value),
            Err(error @ (ReadError::CutOff(_) | ReadError::Io(_))) => Answer::Ended(error),
            Err(error) => Answer::Abandoned(error.into()),
        }
    }

    /// Waits for curl, or ends it, and returns the result of the answer as a whole.
    fn finish<T>(mut self, answer: Answer<T>) -> Result<T, FetchError> {
        if matches!(answer, Answer::Abandoned(_)) {
            let _ = self.child.kill();
        }
        self.interrupt.unregister(&self.child);
        let status = self.child.wait().map_err(FetchError::StartCurl)?;
        let messages = self.messages.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        match answer {
            Answer::Abandoned(error) => Err(error),
            _ if !status.success() => Err(error_of_exit(status, &messages, self.is_tls)),
            Answer::Complete(value) => Ok(value),
            Answer::Ended(error) => Err(error.into()),
        }
    }
}
