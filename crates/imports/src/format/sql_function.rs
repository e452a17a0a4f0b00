//! Declarations of the SQL functions that import.

use ebs_base::argument::Argument;

/// SQL function that imports files of a format into a run and returns a number of theirs.
#[derive(Clone, Copy, Debug)]
pub struct SqlFunction {
    /// Name: `ebs_import_iostat`.
    pub name: &'static str,
    /// Arguments in their order, the document among them.
    pub arguments: &'static [&'static Argument],
    /// Argument that is the document.
    pub document: &'static Argument,
    /// Description: the comment of the function.
    pub comment: &'static str,
    /// Example of a call: that of ebs_help.
    pub example: &'static str,
}

impl SqlFunction {
    /// Name with parameters: `ebs_import_iostat(label text, report text, device text DEFAULT NULL)`.
    pub fn declaration(&self) -> String {
        let parameters: Vec<String> = self.arguments.iter().map(|argument| argument.declaration()).collect();
        format!("{}({})", self.name, parameters.join(", "))
    }

    /// Name with types: `ebs_import_iostat(text, text, text)`.
    pub fn signature(&self) -> String {
        let types: Vec<&str> = self.arguments.iter().map(|argument| argument.sql_type.name()).collect();
        format!("{}({})", self.name, types.join(", "))
    }
}
