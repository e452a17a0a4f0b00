//! The user's file of curl's options. curl only warns of an option that it does not know, not at all with `silent`, and takes a value
//! without its closing quote to the end of the line: a request would lack a header or have a part of a password, and nobody would see
//! why. Problems name the line and the option, never a value.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use super::exit::error_of_exit;
use super::messages::read_messages;
use crate::fetch_error::FetchError;

/// Options that ebsctl sets itself, or that would change the answer or end curl before it.
const RESERVED: [&str; 32] = [
    "config",
    "data",
    "data-ascii",
    "data-binary",
    "data-raw",
    "data-urlencode",
    "dump-header",
    "fail",
    "fail-with-body",
    "form",
    "form-string",
    "get",
    "head",
    "help",
    "include",
    "json",
    "manual",
    "next",
    "out-null",
    "output",
    "output-dir",
    "parallel",
    "range",
    "remote-name",
    "remote-name-all",
    "request",
    "stderr",
    "upload-file",
    "url",
    "url-query",
    "version",
    "write-out",
];
/// Options by which another host than that of --prometheus gets the request: with its headers, and by location-trusted with its password.
const FOLLOWING: [&str; 4] = ["alt-svc", "follow", "location", "location-trusted"];
/// Maximum length of the file, bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Longest name that a message shows.
const MAX_NAME: usize = 40;

/// Problem of a line.
#[derive(Debug, PartialEq)]
struct Problem {
    line: usize,
    text: String,
}

/// Refuses a file in which a line is not an option of curl with its value.
pub fn check(path: &Path) -> Result<(), FetchError> {
    let file = path.display().to_string();
    let text = read(path).map_err(|error| FetchError::File { file: file.clone(), error })?;
    let problem = match check_lines(&text) {
        Some(problem) => Some(problem),
        None => ask_curl(&text)?,
    };
    problem.map_or(Ok(()), |Problem { line, text }| Err(FetchError::CurlFile { file, line, problem: text }))
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = Vec::new();
    let length = File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    // What was not read would not be checked, and curl reads it.
    if length as u64 > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "more than 1 MiB of options"));
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The option and the value of a line, as curl divides it; `None` of an empty line and a comment.
fn divide(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    if line.is_empty() || line.starts_with(['#', '/', '*']) {
        return None;
    }
    let is_dashed = line.starts_with('-');
    let separates = |letter: char| letter.is_whitespace() || !is_dashed && matches!(letter, '=' | ':');
    let (name, rest) = line.split_at(line.find(separates).unwrap_or(line.len()));
    Some((name, rest.trim_start_matches(separates).trim_end()))
}

/// The first problem that curl does not see.
fn check_lines(text: &str) -> Option<Problem> {
    let problem_of = |line: &str| {
        let (name, value) = divide(line)?;
        let option = described(name);
        if name.starts_with('-') && !name.starts_with("--") {
            return Some("a short option; only long ones are taken".to_owned());
        }
        if let Some(problem) = option_problem(name) {
            return Some(format!("{option} {problem}"));
        }
        quote_problem(value).map(|problem| format!("{problem} of {option}"))
    };
    (1..).zip(text.lines()).find_map(|(line, content)| Some(Problem { line, text: problem_of(content)? }))
}

/// The problem of an option that is not the user's. curl takes any beginning of a name, in capitals, too.
fn option_problem(name: &str) -> Option<&'static str> {
    let name = name.trim_start_matches("--").to_ascii_lowercase();
    // expand- puts variables into the value; no- turns an option off.
    let name = name.strip_prefix("expand-").or_else(|| name.strip_prefix("no-")).unwrap_or(&name);
    let begins = |option: &&str| !name.is_empty() && option.starts_with(name);
    if RESERVED.contains(&name) {
        Some("is set by ebsctl itself")
    } else if FOLLOWING.contains(&name) {
        Some("leads to other hosts, which would get the credentials: name the right address with --prometheus")
    } else if RESERVED.iter().chain(&FOLLOWING).any(begins) {
        Some("is the beginning of an option that is not taken")
    } else {
        None
    }
}

/// The problem of a value in quotes.
fn quote_problem(value: &str) -> Option<&'static str> {
    if value.starts_with('\'') {
        return Some("single quotes do not quote the value");
    }
    let rest = value.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = rest.char_indices().find(|(_, letter)| {
        let is_end = *letter == '"' && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        is_end
    });
    match end.map(|(end, _)| rest[end + 1..].trim_start()) {
        None => Some("there is no closing quote at the end of the value"),
        Some(behind) if behind.is_empty() || behind.starts_with('#') => None,
        Some(_) => Some("there is more behind the quoted value"),
    }
}

/// The name of an option, unless it may be a secret that stands on a line of its own.
fn described(name: &str) -> String {
    let is_name = |name: &str| name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || b"-.".contains(&c));
    if (1..=MAX_NAME).contains(&name.len()) && is_name(name) { format!("\"{name}\"") } else { "the option".to_owned() }
}

/// The first problem that curl warns of when it reads the options and does nothing else.
fn ask_curl(text: &str) -> Result<Option<Problem>, FetchError> {
    let mut command = Command::new("curl");
    // The options come before --version, which ends the reading of options.
    command.args(["--disable", "--config", "-", "--version"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(FetchError::StartCurl)?;
    let input = child.stdin.take();
    let messages = thread::scope(|scope| {
        let messages = child.stderr.take().map(|stderr| scope.spawn(move || read_messages(stderr)));
        if let Some(mut input) = input {
            let _ = input.write_all(audible(text).as_bytes());
        }
        messages.and_then(|thread| thread.join().ok()).unwrap_or_default()
    });
    let status = child.wait().map_err(FetchError::StartCurl)?;
    let warned = messages.lines().find_map(warned_line);
    match warned {
        Some(line) => Ok(Some(curl_problem(text, line, &messages))),
        None if !status.success() => Err(error_of_exit(status, &messages, false)),
        None => Ok(None),
    }
}

/// The options without those that keep curl from warning; the lines keep their numbers.
fn audible(text: &str) -> String {
    let is_silent = |line: &&str| divide(line).is_some_and(|(name, _)| name.trim_start_matches("--") == "silent");
    text.lines().map(|line| if is_silent(&line) { "\n".to_owned() } else { format!("{line}\n") }).collect()
}

/// The line of a warning: `Warning: <stdin>:3: warning: 'headr' is unknown`; `-:3:` in other versions.
fn warned_line(message: &str) -> Option<usize> {
    let (before, _) = message.split_once(": warning:")?;
    before.rsplit(':').next()?.trim().parse().ok()
}

/// Problem of a line that curl warns of, in words of ours: curl's may hold a value.
fn curl_problem(text: &str, line: usize, messages: &str) -> Problem {
    let content = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let name = divide(content).map_or_else(
        || "the option".to_owned(),
        |(name, value)| match value {
            // A secret that was broken over two lines is no name.
            "" => "the option".to_owned(),
            _ => described(name),
        },
    );
    let has = |words: &str| messages.contains(words);
    let text = if has("is unknown") {
        format!("curl does not know {name}")
    } else if has("is ambiguous") {
        format!("{name} is the beginning of several options")
    } else if has("unquoted whitespace") {
        format!("the value of {name} has white space, and no quotes")
    } else if has("requires parameter") {
        format!("{name} lacks its value")
    } else {
        format!("curl does not accept the value of {name}")
    };
    Problem { line, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a file; its messages hold no secret.
    fn error(text: &str) -> Option<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        std::fs::write(&path, text).unwrap();
        let error = check(&path).err()?;
        assert!(matches!(error, FetchError::CurlFile { .. }), "{error:?}");
        assert!(!format!("{error:?}").contains("hush"), "{error:?}");
        Some(error.to_string().replace(path.to_str().unwrap(), "f"))
    }

    #[test]
    fn options_that_curl_takes_are_accepted() {
        let text = "# credentials\n\nuser = \"reader:hush \\\"quoted\\\"\"\r\nheader = \"X-Scope-OrgID: team-a\" # the tenant\n--header \"a: b\"\n  \
            cacert: /etc/ca.pem\nnetrc\ncompressed\nno-compressed\nproxy http://proxy.example:3128\nverbose\nsilent\nshow-error\n";
        assert_eq!(error(text), None);
        assert_eq!(error(""), None);
    }

    #[test]
    fn credentials_never_go_to_another_host() {
        for name in ["location", "location-trusted", "--location", "follow", "alt-svc", "no-location"] {
            let expected =
                "leads to other hosts, which would get the credentials: name the right address with --prometheus";
            assert_eq!(error(&format!("{name}\n")), Some(format!("\"f\", line 1: \"{name}\" {expected}")));
        }
        for name in ["LOCATION-TRUSTED", "Location", "location-t", "locat", "foll", "alt"] {
            assert!(error(&format!("{name}\n")).is_some(), "{name}");
        }
        let long = format!("# {}\nlocation\n", "x".repeat(MAX_BYTES as usize));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), long).unwrap();
        assert!(check(file.path()).unwrap_err().to_string().ends_with("more than 1 MiB of options"));
    }

    #[test]
    fn lines_that_curl_would_pass_over_are_refused() {
        for (line, problem) in [
            ("headr = \"X-Scope-OrgID: hush\"", "curl does not know \"headr\""),
            ("nonsense-option = 3", "curl does not know \"nonsense-option\""),
            ("prox = \"a: hush\"", "\"prox\" is the beginning of several options"),
            ("he = \"a: hush\"", "\"he\" is the beginning of an option that is not taken"),
            ("conf = \"hush\"", "\"conf\" is the beginning of an option that is not taken"),
            ("expand-output = \"hush\"", "\"expand-output\" is set by ebsctl itself"),
            ("hush", "curl does not know the option"),
            ("HUSHhush==", "curl does not know the option"),
            ("header = \"X-Scope-OrgID: hush", "there is no closing quote at the end of the value of \"header\""),
            ("user = \"a:hush\\\"", "there is no closing quote at the end of the value of \"user\""),
            ("user = \"a:hush\"hush", "there is more behind the quoted value of \"user\""),
            ("user = 'a:hush'", "single quotes do not quote the value of \"user\""),
            ("user = a:hush hush", "the value of \"user\" has white space, and no quotes"),
            ("user", "the option lacks its value"),
            ("max-time = hush", "curl does not accept the value of \"max-time\""),
            ("-u a:hush", "a short option; only long ones are taken"),
            ("output = \"hush\"", "\"output\" is set by ebsctl itself"),
            ("--next", "\"--next\" is set by ebsctl itself"),
        ] {
            let expected = Some(format!("\"f\", line 3: {problem}"));
            assert_eq!(error(&format!("# one\nsilent\n{line}\nuser = \"a:b\"\n")), expected, "{line}");
        }
    }
}
