//! Functions of the extension that are called, with the types of all their arguments.

use std::borrow::Cow;

use ebs_advice::arguments::ARGUMENTS;

/// Function of the extension.
pub struct Function {
    /// Name.
    pub name: &'static str,
    /// Types of all its arguments, in their order, those with defaults too.
    pub arguments: Cow<'static, [&'static str]>,
    /// True if it only reads, which members of pg_monitor may.
    reads: bool,
}

const fn reading(name: &'static str, arguments: &'static [&'static str]) -> Function {
    Function { name, arguments: Cow::Borrowed(arguments), reads: true }
}

const fn writing(name: &'static str, arguments: &'static [&'static str]) -> Function {
    Function { name, arguments: Cow::Borrowed(arguments), reads: false }
}

/// A function with the arguments of a request for advice, with others before and behind them.
fn advising(name: &'static str, before: &[&'static str], behind: &[&'static str]) -> Function {
    let types = ARGUMENTS.iter().map(|known| known.argument.sql_type.name());
    let arguments = before.iter().copied().chain(types).chain(behind.iter().copied());
    Function { name, arguments: arguments.collect(), reads: true }
}

/// ebs_advise.
pub fn advise() -> Function {
    advising("ebs_advise", &["text", "interval"], &["text"])
}

/// ebs_advise_json.
pub fn advise_json() -> Function {
    advising("ebs_advise_json", &["text", "interval"], &[])
}

/// ebs_report_html.
pub fn report_html() -> Function {
    advising("ebs_report_html", &["text", "text", "interval"], &[])
}

pub const RUNS: Function = reading("ebs_runs", &["text", "text"]);
pub const SAMPLE: Function = reading("ebs_sample", &[]);
pub const RUN_BEGIN: Function = writing("ebs_run_begin", &["text", "jsonb"]);
pub const RUN_MARK: Function = writing("ebs_run_mark", &["text"]);
pub const RUN_END: Function = writing("ebs_run_end", &[]);
pub const RUN_RESULT: Function = writing("ebs_run_result", &["text", "float8", "float8", "float8", "float8", "jsonb"]);
pub const RUN_DROP: Function = writing("ebs_run_drop", &["text"]);
pub const RUN_IMPORT: Function = writing("ebs_run_import", &["text", "text"]);
pub const IMPORT_PRICES: Function = writing("ebs_import_prices", &["jsonb"]);
pub const IMPORT_CONFIGURATION: Function = writing("ebs_import_configuration", &["text"]);
pub const IMPORT_RDS_WAITS: Function = writing("ebs_import_rds_waits", &["text", "text", "int4"]);
pub const IMPORT_FIO: Function = writing("ebs_import_fio", &["text", "text"]);
pub const IMPORT_FLEET: Function = writing("ebs_import_fleet", &["text", "timestamptz"]);

impl Function {
    /// Its call in this schema, an identifier in quotes, by the parameters `$1` and so on.
    pub fn call(&self, schema: &str) -> String {
        let argument = |(at, kind): (usize, &&str)| format!("${}::pg_catalog.{kind}", at + 1);
        let arguments: Vec<String> = self.arguments.iter().enumerate().map(argument).collect();
        format!("{schema}.{}({})", self.name, arguments.join(", "))
    }

    /// Its name and the types of its arguments, as GRANT takes them.
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.arguments.join(", "))
    }

    /// The privilege that a role needs to call it, a sentence.
    pub fn privilege_hint(&self) -> String {
        match self.reads {
            true => format!("Members of pg_monitor may call {}.", self.name),
            false => format!("The role needs EXECUTE on {}.", self.signature()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_all_arguments_with_their_types() {
        let call = RUN_BEGIN.call("\"odd\"\"name\"");
        assert_eq!(call, "\"odd\"\"name\".ebs_run_begin($1::pg_catalog.text, $2::pg_catalog.jsonb)");
        assert_eq!(RUN_END.call("\"public\""), "\"public\".ebs_run_end()");
        assert_eq!(
            IMPORT_RDS_WAITS.privilege_hint(),
            "The role needs EXECUTE on ebs_import_rds_waits(text, text, int4)."
        );
    }

    /// Each declaration in extension/sql/ has these arguments, and no more.
    #[test]
    fn signatures_are_those_of_the_extension() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../extension/sql");
        let read = |file: std::fs::DirEntry| std::fs::read_to_string(file.path()).unwrap();
        let scripts: String = std::fs::read_dir(directory).unwrap().map(|file| read(file.unwrap())).collect();
        let scripts = ebs_declarations::expand(&scripts).unwrap().replace("integer", "int4").replace("bigint", "int8");
        for function in [
            advise(),
            advise_json(),
            report_html(),
            RUNS,
            SAMPLE,
            RUN_BEGIN,
            RUN_MARK,
            RUN_END,
            RUN_RESULT,
            RUN_DROP,
            RUN_IMPORT,
            IMPORT_PRICES,
            IMPORT_CONFIGURATION,
            IMPORT_RDS_WAITS,
            IMPORT_FLEET,
        ] {
            let comment = format!("COMMENT ON FUNCTION {} IS", function.signature());
            assert!(scripts.contains(&comment), "{comment}");
        }
    }
}
