//! Depth of JSON values.

use serde_json::Value;

/// Number of levels that a value is nested; a number has none. Counts level by level, not by recursion, so that no depth
/// overflows the stack.
pub fn nesting_levels(value: &Value) -> usize {
    let mut levels = 0;
    let mut level = vec![value];
    loop {
        let nested = level.iter().any(|value| value.is_array() || value.is_object());
        if !nested {
            return levels;
        }
        levels += 1;
        let below = level.into_iter().flat_map(|value| match value {
            Value::Array(values) => values.iter().collect(),
            Value::Object(values) => values.values().collect(),
            _ => Vec::new(),
        });
        level = below.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_deepest_part_of_a_value_counts() {
        assert_eq!(nesting_levels(&json!(1)), 0);
        assert_eq!(nesting_levels(&json!("a")), 0);
        assert_eq!(nesting_levels(&json!([])), 1);
        assert_eq!(nesting_levels(&json!({"a": 1, "b": [[], {"c": null}]})), 3);
    }

    #[test]
    fn a_deep_value_does_not_overflow_the_stack() {
        let mut value = json!(1);
        for _ in 0..20_000 {
            value = Value::Array(vec![value]);
        }
        assert_eq!(nesting_levels(&value), 20_000);
        // Dropped level by level: serde_json's own drop is recursive.
        while let Value::Array(mut values) = value {
            value = values.pop().unwrap_or_default();
        }
    }
}
