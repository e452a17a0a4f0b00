//! Nodes and lists of PostgreSQL's trees.

use pgrx::pg_sys;

/// Pointers in a list of PostgreSQL's, in its order; none of NIL.
///
/// # Safety
/// `list` is NIL or a list of pointers that lives longer than what is made of the result.
pub(super) unsafe fn elements<T>(
    list: *const pg_sys::List,
) -> impl DoubleEndedIterator<Item = *mut T> + ExactSizeIterator {
    // SAFETY: a list has as many cells as its length says.
    let cells = unsafe {
        match list.as_ref() {
            Some(list) => std::slice::from_raw_parts(list.elements, list.length as usize),
            None => &[],
        }
    };
    // SAFETY: a list of pointers, as the caller promises.
    cells.iter().map(|cell| unsafe { cell.ptr_value.cast::<T>() })
}

/// Places of the pointers in a list of PostgreSQL's, in its order; none of NIL.
///
/// # Safety
/// As of [`elements`], and nothing else uses the list.
pub(super) unsafe fn places<T: 'static>(list: *mut pg_sys::List) -> impl Iterator<Item = &'static mut *mut T> {
    // SAFETY: a list of as many pointers as its length says.
    unsafe {
        let cells = list
            .as_mut()
            .map_or(&mut [][..], |list| std::slice::from_raw_parts_mut(list.elements, list.length as usize));
        cells.iter_mut().map(|cell| &mut *(&raw mut cell.ptr_value).cast::<*mut T>())
    }
}

/// The type of a node; T_Invalid for a null pointer.
///
/// # Safety
/// Null or a node of PostgreSQL's.
pub(super) unsafe fn tag<T>(node: *const T) -> pg_sys::NodeTag {
    // SAFETY: each node begins with its tag.
    unsafe { node.cast::<pg_sys::Node>().as_ref().map_or(pg_sys::NodeTag::T_Invalid, |node| node.type_) }
}
