//! Problems of a document with its schema, for the keywords that schemars writes.

use serde_json::{Map, Value};

/// Keywords that refuse nothing. A format is a name for what `type`, `minimum` and `maximum` say.
const ANNOTATIONS: [&str; 6] = ["$schema", "$defs", "title", "description", "format", "default"];

/// Everything that `schema` refuses of `document`, each with its place; and keys that it does not name, which it would take: a
/// schema of ours describes all of its document.
pub fn problems(schema: &Value, document: &Value) -> Vec<String> {
    let mut check = Check { root: schema, problems: Vec::new() };
    check.value(schema, document, "");
    check.problems
}

struct Check<'a> {
    root: &'a Value,
    problems: Vec<String>,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value, place: &str) {
        let Value::Object(schema) = schema else {
            if *schema != Value::Bool(true) {
                self.problem(place, "is not allowed");
            }
            return;
        };
        for (keyword, argument) in schema {
            match keyword.as_str() {
                keyword if ANNOTATIONS.contains(&keyword) => {}
                "$ref" => self.reference(argument, value, place),
                "type" => self.require(is_of_type(argument, value), place, keyword, argument),
                "enum" => {
                    self.require(argument.as_array().is_some_and(|all| all.contains(value)), place, keyword, argument)
                }
                "const" => self.require(argument == value, place, keyword, argument),
                "minimum" => self.require(at_least(argument, value), place, keyword, argument),
                "maximum" => self.require(at_least(value, argument), place, keyword, argument),
                "anyOf" => self.require(self.count(argument, value) > 0, place, keyword, argument),
                "oneOf" => self.require(self.count(argument, value) == 1, place, keyword, argument),
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.value(argument, item, &format!("{place}/{number}"));
                    }
                }
                "properties" | "patternProperties" | "additionalProperties" | "required" => {}
                _ => self.problem(place, &format!("has a schema with {keyword}, which is not checked")),
            }
        }
        if let Value::Object(object) = value {
            self.object(schema, object, place);
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, object: &Map<String, Value>, place: &str) {
        let properties = schema.get("properties").and_then(Value::as_object);
        // The patterns that there are: of maps whose keys are numbers, without and with a sign.
        let patterns = schema.get("patternProperties");
        let pattern = |pattern: &str| patterns.and_then(|patterns| patterns.get(pattern));
        let (numbered, signed) = (pattern(r"^\d+$"), pattern(r"^-?\d+$"));
        let others = schema.get("additionalProperties");
        for key in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !object.contains_key(key) {
                self.problem(place, &format!("lacks {key}"));
            }
        }
        for (key, value) in object {
            let place = format!("{place}/{key}");
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let numbered = numbered.filter(|_| digits(key));
            let numbered = numbered.or(signed.filter(|_| digits(key.strip_prefix('-').unwrap_or(key))));
            match properties.and_then(|properties| properties.get(key)).or(numbered).or(others) {
                Some(schema) => self.value(schema, value, &place),
                None if properties.is_some() => self.problem(&place, "is not in the schema"),
                None => {}
            }
        }
    }

    fn reference(&mut self, reference: &Value, value: &Value, place: &str) {
        let root = self.root;
        let pointer = reference.as_str().and_then(|reference| reference.strip_prefix('#'));
        match pointer.and_then(|pointer| root.pointer(pointer)) {
            Some(schema) => self.value(schema, value, place),
            None => self.problem(place, &format!("has a schema that refers to {reference}, which is not there")),
        }
    }

    /// The number of these schemas that accept the value.
    fn count(&self, schemas: &Value, value: &Value) -> usize {
        let takes = |schema: &&Value| {
            let mut check = Check { root: self.root, problems: Vec::new() };
            check.value(schema, value, "");
            check.problems.is_empty()
        };
        schemas.as_array().into_iter().flatten().filter(takes).count()
    }

    fn require(&mut self, met: bool, place: &str, keyword: &str, argument: &Value) {
        if !met {
            self.problem(place, &format!("is not as {keyword} {argument} says"));
        }
    }

    fn problem(&mut self, place: &str, problem: &str) {
        self.problems.push(format!("{} {problem}", if place.is_empty() { "/" } else { place }));
    }
}

fn is_of_type(types: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => false,
    };
    types.as_array().map_or_else(|| is(types), |types| types.iter().any(is))
}

/// False only of numbers.
fn at_least(least: &Value, value: &Value) -> bool {
    least.as_f64().zip(value.as_f64()).is_none_or(|(least, value)| value >= least)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_is_held_to_its_schema() {
        let schema = json!({
            "$defs": { "Size": { "type": ["integer", "null"], "minimum": 1, "maximum": 9 } },
            "type": "object",
            "properties": {
                "size": { "$ref": "#/$defs/Size" },
                "rows": { "type": "array", "items": { "oneOf": [{ "const": "a" }, { "enum": ["b", "c"] }] } },
                "any": true,
                "named": { "type": "object", "additionalProperties": { "type": "number" } },
                "numbered": { "additionalProperties": false, "patternProperties": { r"^\d+$": { "type": "string" } } },
                "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            },
            "required": ["size"],
        });
        let good = json!({ "size": 9, "rows": ["a", "c"], "any": [1], "named": { "p50": 1.5 }, "numbered": { "10": "a" }, "note": null });
        assert_eq!(problems(&schema, &good), [""; 0]);
        for (key, value, problem) in [
            ("size", json!(0), "/size is not as minimum 1 says"),
            ("size", json!(10), "/size is not as maximum 9 says"),
            ("size", json!(1.5), "/size is not as type [\"integer\",\"null\"] says"),
            ("rows", json!(["d"]), "/rows/0 is not as oneOf [{\"const\":\"a\"},{\"enum\":[\"b\",\"c\"]}] says"),
            ("named", json!({ "p50": "fast" }), "/named/p50 is not as type \"number\" says"),
            ("numbered", json!({ "10": 1 }), "/numbered/10 is not as type \"string\" says"),
            ("numbered", json!({ "x": "a" }), "/numbered/x is not allowed"),
            ("note", json!(1), "/note is not as anyOf [{\"type\":\"string\"},{\"type\":\"null\"}] says"),
            ("other", json!(1), "/other is not in the schema"),
        ] {
            let mut bad = good.clone();
            bad[key] = value;
            assert_eq!(problems(&schema, &bad), [problem]);
        }
        assert_eq!(problems(&schema, &json!({})), ["/ lacks size"]);
    }

    #[test]
    fn a_keyword_that_is_not_known_is_a_problem() {
        assert_eq!(
            problems(&json!({ "pattern": "a" }), &json!("b")),
            ["/ has a schema with pattern, which is not checked"]
        );
        assert_eq!(
            problems(&json!({ "$ref": "#/$defs/A" }), &json!(1)),
            ["/ has a schema that refers to \"#/$defs/A\", which is not there"]
        );
        assert_eq!(problems(&json!(false), &json!(1)), ["/ is not allowed"]);
    }
}
