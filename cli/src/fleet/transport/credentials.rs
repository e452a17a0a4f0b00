//! Credentials, as options in curl's configuration. They are passed on its standard input and never on its command line.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::arguments::ConnectionArguments;
use crate::fetch_error::FetchError;

/// Maximum length of a token, bytes.
const MAX_TOKEN: u64 = 64 << 10;

/// Source of the credentials. No `Debug`: secrets are in no message.
#[derive(Default)]
pub struct Credentials {
    /// The user's own file of curl's options.
    pub curl_config: Option<PathBuf>,
    bearer_file: Option<PathBuf>,
    signature: Option<Signature>,
}

/// Keys of AWS for a region and a service.
struct Signature {
    scope: String,
    access_key: String,
    secret_key: String,
    session_token: Option<String>,
}

impl Credentials {
    /// Credentials of the arguments; `environment` gives variables.
    pub fn new(
        arguments: &ConnectionArguments,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Credentials, FetchError> {
        let signature = arguments.aws_sigv4.as_deref().map(|region| Signature::new(region, environment)).transpose()?;
        let curl_config = arguments.curl_config.clone();
        if let Some(path) = &curl_config {
            fs::File::open(path).map_err(|error| file_error(path, error))?;
        }
        let credentials = Credentials { curl_config, bearer_file: arguments.bearer_file.clone(), signature };
        credentials.options()?;
        Ok(credentials)
    }

    /// Warnings about files that others can read.
    pub fn warnings(&self) -> Vec<String> {
        let files = self.curl_config.iter().chain(&self.bearer_file);
        let is_open = |path: &&PathBuf| fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0);
        let warn = |path: &PathBuf| format!("\"{0}\" can be read by other users: chmod 600 {0}", path.display());
        files.filter(is_open).map(warn).collect()
    }

    /// Options for curl, a name and a value each.
    pub fn options(&self) -> Result<Vec<(&'static str, String)>, FetchError> {
        let mut options = Vec::new();
        if let Some(path) = &self.bearer_file {
            let token = read_token(path).map_err(|error| file_error(path, error))?;
            let token = token.trim();
            if token.is_empty() || token.len() as u64 > MAX_TOKEN || token.chars().any(|c| c.is_control() || c == ' ') {
                let message = format!("--bearer-file: \"{}\" does not hold one token", path.display());
                return Err(FetchError::Argument { message, hint: "The file holds the token alone, without Bearer." });
            }
            options.push(("header", format!("Authorization: Bearer {token}")));
        }
        if let Some(signature) = &self.signature {
            options.push(("aws-sigv4", signature.scope.clone()));
            options.push(("user", format!("{}:{}", signature.access_key, signature.secret_key)));
            let token = signature.session_token.iter();
            options.extend(token.map(|token| ("header", format!("X-Amz-Security-Token: {token}"))));
        }
        Ok(options)
    }
}

/// Reads a token and, at its end, white space of an editor; more is no token, and not read.
fn read_token(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(2 * MAX_TOKEN).read_to_string(&mut text)?;
    Ok(text)
}

fn file_error(path: &Path, error: std::io::Error) -> FetchError {
    FetchError::File { file: path.display().to_string(), error }
}

impl Signature {
    fn new(region: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<Signature, FetchError> {
        let (region, service) = region.split_once(':').unwrap_or((region, "aps"));
        let is_name = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-');
        if !is_name(region) || !is_name(service) {
            let message = "--aws-sigv4: not a region".to_owned();
            return Err(FetchError::Argument { message, hint: "For example: --aws-sigv4 eu-west-1" });
        }
        let variable =
            |name: &str| environment(name).filter(|value| !value.is_empty() && !value.contains(['\n', '\r']));
        let required = |name: &str| {
            let missing = || FetchError::Argument {
                message: format!("--aws-sigv4: the environment has no {name}"),
                hint: "aws configure export-credentials --format env prints the variables of a profile.",
            };
            variable(name).ok_or_else(missing)
        };
        Ok(Signature {
            scope: format!("aws:amz:{region}:{service}"),
            access_key: required("AWS_ACCESS_KEY_ID")?,
            secret_key: required("AWS_SECRET_ACCESS_KEY")?,
            session_token: variable("AWS_SESSION_TOKEN"),
        })
    }
}
