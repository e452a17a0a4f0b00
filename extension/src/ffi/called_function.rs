//! The SQL function that is called, with its arguments by their names, so that a declaration and its Rust function need not agree on an
//! order.

use std::ffi::{CStr, c_char};
use std::{ptr, slice};

use ebs_base::argument::{Argument, Value};
use pgrx::callconv::{Arg, ArgAbi};
use pgrx::datum::{FromDatum, Interval, TimestampWithTimeZone};
use pgrx::nullable::Nullable;
use pgrx::pgrx_sql_entity_graph::metadata::{
    ArgumentError, ReturnsError, ReturnsRef, SqlMappingRef, SqlTranslatable, TypeOrigin,
};
use pgrx::{AnyElement, AnyNumeric, pg_sys};

/// A call of a SQL function, taken as the only argument of its Rust function.
pub struct CalledFunction {
    /// Name of the SQL function.
    name: String,
    /// Arguments that are not NULL.
    arguments: Vec<(String, SqlValue)>,
}

/// Value of a type that functions of the extension are declared with. Its memory is PostgreSQL's, and lives as long as the call.
enum SqlValue {
    Text(&'static str),
    Number(f64),
    Integer(i64),
    Decimal(String),
    Boolean(bool),
    Interval(Interval),
    Time(TimestampWithTimeZone),
    Json(AnyElement),
}

impl CalledFunction {
    /// Name of the SQL function.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Text of an argument; `None` of NULL.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.find(name)? {
            SqlValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Number of an argument; `None` of NULL.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.find(name)? {
            SqlValue::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Count of an argument; `None` of NULL.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.find(name)? {
            SqlValue::Integer(integer) => Some(*integer),
            _ => None,
        }
    }

    /// Yes or no of an argument; `None` of NULL.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        match self.find(name)? {
            SqlValue::Boolean(boolean) => Some(*boolean),
            _ => None,
        }
    }

    /// Returns true of an argument of type boolean that is true, or that is NULL and true by default.
    pub fn is_on(&self, argument: &Argument) -> bool {
        self.value(argument.name).or(argument.default.value()) == Some(Value::Boolean(true))
    }

    /// Interval of an argument; `None` of NULL.
    pub fn interval(&self, name: &str) -> Option<Interval> {
        match self.find(name)? {
            SqlValue::Interval(interval) => Some(*interval),
            _ => None,
        }
    }

    /// Time of an argument; `None` of NULL.
    pub fn time(&self, name: &str) -> Option<TimestampWithTimeZone> {
        match self.find(name)? {
            SqlValue::Time(time) => Some(*time),
            _ => None,
        }
    }

    /// A jsonb argument, which is not read yet; `None` of NULL.
    pub fn json(&self, name: &str) -> Option<AnyElement> {
        match self.find(name)? {
            SqlValue::Json(element) => Some(*element),
            _ => None,
        }
    }

    /// Value of an argument; `None` of NULL, and of intervals, times and documents.
    pub fn value(&self, name: &str) -> Option<Value<'_>> {
        match self.find(name)? {
            SqlValue::Text(text) => Some(Value::Text(text)),
            SqlValue::Number(number) => Some(Value::Number(*number)),
            SqlValue::Integer(integer) => Some(Value::Integer(*integer)),
            SqlValue::Decimal(text) => Some(Value::Decimal(text)),
            SqlValue::Boolean(boolean) => Some(Value::Boolean(*boolean)),
            SqlValue::Interval(_) | SqlValue::Time(_) | SqlValue::Json(_) => None,
        }
    }

    fn find(&self, name: &str) -> Option<&SqlValue> {
        self.arguments.iter().find_map(|(known, value)| (known == name).then_some(value))
    }
}

/// Reads an argument of a function of the extension; `None` of a type that none is declared with.
///
/// # Safety
/// The datum must not be NULL and must be of this type.
unsafe fn read_value(datum: pg_sys::Datum, oid: pg_sys::Oid) -> Option<SqlValue> {
    // SAFETY: the caller's datum is of the type of each branch, whose memory lives as long as the call, and so does the value.
    unsafe {
        match oid {
            pg_sys::TEXTOID => <&str>::from_datum(datum, false).map(SqlValue::Text),
            pg_sys::FLOAT8OID => f64::from_datum(datum, false).map(SqlValue::Number),
            pg_sys::INT4OID => i32::from_datum(datum, false).map(|integer| SqlValue::Integer(integer.into())),
            pg_sys::INT8OID => i64::from_datum(datum, false).map(SqlValue::Integer),
            pg_sys::NUMERICOID => {
                AnyNumeric::from_datum(datum, false).map(|numeric| SqlValue::Decimal(numeric.to_string()))
            }
            pg_sys::BOOLOID => bool::from_datum(datum, false).map(SqlValue::Boolean),
            pg_sys::INTERVALOID => Interval::from_datum(datum, false).map(SqlValue::Interval),
            pg_sys::TIMESTAMPTZOID => TimestampWithTimeZone::from_datum(datum, false).map(SqlValue::Time),
            pg_sys::JSONBOID => AnyElement::from_polymorphic_datum(datum, false, oid).map(SqlValue::Json),
            _ => None,
        }
    }
}

/// Modes of columns that a function returns, which take no place in a call: those of OUT and TABLE.
const RETURNED: [u8; 2] = [b'o', b't'];

/// Reads the name of a function, and names and types of its parameters from the catalog.
///
/// # Safety
/// `oid` must be that of a function that is being called, in a transaction.
unsafe fn read_declaration(oid: pg_sys::Oid) -> (String, Vec<(String, pg_sys::Oid)>) {
    let (mut types, mut names) = (ptr::null_mut(), ptr::null_mut::<*mut c_char>());
    let mut modes: *mut c_char = ptr::null_mut();
    // SAFETY: a text of the catalog, copied at once.
    let text = |name: *const c_char| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    // SAFETY: a function that is called has a row, which is released before anything else is done; get_func_arg_info gives arrays of as
    // many elements as it returns, copies in the memory of the call, or no names at all.
    unsafe {
        let row = pg_sys::SearchSysCache1(pg_sys::SysCacheIdentifier::PROCOID as i32, oid.into());
        if row.is_null() {
            return (String::new(), Vec::new());
        }
        let form = pg_sys::GETSTRUCT(row).cast::<pg_sys::FormData_pg_proc>();
        let name = text((*form).proname.data.as_ptr());
        let count = usize::try_from(pg_sys::get_func_arg_info(row, &mut types, &mut names, &mut modes)).unwrap_or(0);
        pg_sys::ReleaseSysCache(row);
        if names.is_null() || count == 0 {
            return (name, Vec::new());
        }
        // Without modes all are parameters.
        let is_given = |at: usize| modes.is_null() || !RETURNED.contains(&(*modes.add(at) as u8));
        let (names, types) = (slice::from_raw_parts(names, count), slice::from_raw_parts(types, count));
        (name, (0..count).filter(|at| is_given(*at)).map(|at| (text(names[at]), types[at])).collect())
    }
}

// SAFETY: a virtual argument, which takes no place among those of SQL.
unsafe impl<'fcx> ArgAbi<'fcx> for CalledFunction {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> CalledFunction {
        // SAFETY: of a virtual argument pgrx gives the call, whose values are those of the declared parameters, in their order.
        unsafe {
            let call = pg_sys::FunctionCallInfo::unbox_arg_unchecked(arg);
            let (name, declared) = read_declaration((*(*call).flinfo).fn_oid);
            let given = (*call).args.as_slice(usize::try_from((*call).nargs).unwrap_or(0));
            let value = |((name, oid), given): ((String, pg_sys::Oid), &pg_sys::NullableDatum)| {
                (!given.isnull).then(|| read_value(given.value, oid)).flatten().map(|value| (name, value))
            };
            CalledFunction { name, arguments: declared.into_iter().zip(given).filter_map(value).collect() }
        }
    }

    unsafe fn unbox_nullable_arg(arg: Arg<'_, 'fcx>) -> Nullable<CalledFunction> {
        // SAFETY: as above.
        Nullable::Valid(unsafe { CalledFunction::unbox_arg_unchecked(arg) })
    }

    fn is_virtual_arg() -> bool {
        true
    }
}

// SAFETY: a virtual argument has no type in SQL.
unsafe impl SqlTranslatable for CalledFunction {
    const TYPE_IDENT: &'static str = "CalledFunction";
    const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
    const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> = Ok(SqlMappingRef::Skip);
    const RETURN_SQL: Result<ReturnsRef, ReturnsError> = Ok(ReturnsRef::One(SqlMappingRef::Skip));
}
