//! Nodes and lists of PostgreSQL's trees: views, by which they are read without unsafe code, and raw pointers, for what changes them.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use pgrx::pg_sys::{self, ListCell, NodeTag};

use crate::ffi::c_string::copy_c_string;

/// A node of a tree of PostgreSQL's. Its fields are read by their names, those that lead further into the tree by functions of the same
/// names (`nodes!` below).
#[derive(Clone, Copy)]
pub(super) struct View<'t, T>(NonNull<T>, PhantomData<&'t T>);

/// A node of any type.
pub(super) type NodeView<'t> = View<'t, pg_sys::Node>;

/// A node of a plan.
pub(super) type PlanView<'t> = View<'t, pg_sys::Plan>;

/// The nodes in a list of PostgreSQL's.
#[derive(Clone, Copy)]
pub(super) struct List<'t, T>(&'t [ListCell], PhantomData<View<'t, T>>);

/// Type of nodes that is known by their tags.
///
/// # Safety
/// A node with one of these tags is one of this type, or begins with one.
pub(super) unsafe trait Tagged {
    /// The tags.
    const TAGS: &'static [NodeTag];
}

impl<T> Deref for View<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: a node that lives and is not changed, as was promised for the root.
        unsafe { self.0.as_ref() }
    }
}

impl<'t, T> View<'t, T> {
    /// View of the root of a tree; `None` of a null pointer.
    ///
    /// # Safety
    /// Null, or a node of this type in a tree that PostgreSQL made, and that lives and is not changed as long as its views are used.
    pub(super) unsafe fn new(root: *mut T) -> Option<View<'t, T>> {
        NonNull::new(root).map(|root| View(root, PhantomData))
    }

    /// The node itself, for functions of PostgreSQL's.
    pub(super) fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }

    /// The type of the node.
    pub(super) fn tag(&self) -> NodeTag {
        // SAFETY: each node begins with its tag.
        unsafe { self.0.cast::<pg_sys::Node>().as_ref().type_ }
    }

    /// The node as one of a type that its tag is of; `None` if it is of another.
    pub(super) fn get<U: Tagged>(self) -> Option<View<'t, U>> {
        U::TAGS.contains(&self.tag()).then(|| View(self.0.cast(), PhantomData))
    }
}

impl<'t> View<'t, pg_sys::List> {
    /// The numbers in a list of integers; none of another list.
    pub(super) fn integers(self) -> impl Iterator<Item = c_int> {
        // SAFETY: a list of integers, by its tag.
        self.cells(NodeTag::T_IntList).iter().map(|cell| unsafe { cell.int_value })
    }

    fn cells(self, tag: NodeTag) -> &'t [ListCell] {
        if self.tag() != tag {
            return &[];
        }
        // SAFETY: a list has as many cells as its length says.
        unsafe { std::slice::from_raw_parts(self.elements, self.length as usize) }
    }
}

impl<'t, T> List<'t, T> {
    /// View of a list; an empty one of a null pointer, which is NIL.
    ///
    /// # Safety
    /// The promises of [`View::new`]; a list of nodes of this type, or null pointers.
    pub(super) unsafe fn new(list: *mut pg_sys::List) -> List<'t, T> {
        // SAFETY: as the caller promises.
        let list = unsafe { View::new(list) };
        List(list.map_or(&[], |list| list.cells(NodeTag::T_List)), PhantomData)
    }

    /// The nodes in their order, without null pointers.
    pub(super) fn iter(self) -> impl DoubleEndedIterator<Item = View<'t, T>> {
        self.entries().flatten()
    }

    /// The nodes in their order; `None` for each null pointer.
    pub(super) fn entries(self) -> impl DoubleEndedIterator<Item = Option<View<'t, T>>> {
        // SAFETY: a list of pointers, by its tag, to nodes of this type.
        self.0.iter().map(|cell| unsafe { View::new(cell.ptr_value.cast()) })
    }

    /// The node at an index; `None` behind the end.
    pub(super) fn get(self, index: usize) -> Option<View<'t, T>> {
        self.entries().nth(index)?
    }

    /// The nodes, if there are just so many.
    pub(super) fn exactly<const N: usize>(self) -> Option<[View<'t, T>; N]> {
        self.iter().collect::<Vec<_>>().try_into().ok()
    }
}

/// Declares types of nodes: the tags of each, and its fields that lead further into the tree, which are a node, `[…]` a list of nodes,
/// `{…; n}` an array of `n` values, `str` a C string. A type without tags is reached by fields alone.
macro_rules! nodes {
    ($($type:ident $(= $($tag:ident)|+)? { $($field:ident: $target:tt),* })*) => { $(
        // SAFETY: PostgreSQL's nodes with these tags are of this type, or begin with one.
        $(unsafe impl Tagged for pg_sys::$type { const TAGS: &'static [NodeTag] = &[$(NodeTag::$tag),+]; })?
        #[allow(non_snake_case)] // PostgreSQL's names
        impl<'t> View<'t, pg_sys::$type> { $(nodes!(@ 't $field $target);)* }
    )* };
    (@ $t:lifetime $field:ident str) => {
        /// A copy of this text; empty where it is null.
        pub(super) fn $field(self) -> String {
            // SAFETY: null or a C string of the tree.
            unsafe { copy_c_string(self.$field) }
        }
    };
    (@ $t:lifetime $field:ident [$target:ident]) => {
        /// The nodes of this list.
        pub(super) fn $field(self) -> List<$t, pg_sys::$target> {
            // SAFETY: a list of the tree, of nodes of this type.
            unsafe { List::new(self.$field) }
        }
    };
    (@ $t:lifetime $field:ident {$target:ty; $count:ident}) => {
        /// The values of this array.
        pub(super) fn $field(self) -> &$t [$target] {
            if self.$count <= 0 {
                return &[];
            }
            // SAFETY: an array of the tree, which has as many values as the node says.
            unsafe { std::slice::from_raw_parts(self.$field, self.$count as usize) }
        }
    };
    (@ $t:lifetime $field:ident $target:ident) => {
        /// The node in this field, if there is one.
        pub(super) fn $field(self) -> Option<View<$t, pg_sys::$target>> {
            // SAFETY: null or a node of the tree, of this type.
            unsafe { View::new(self.$field.cast()) }
        }
    };
}

// Plans
nodes! {
    PlannedStmt { planTree: Plan, subplans: [Plan], rtable: [RangeTblEntry] }
    Plan { lefttree: Plan, righttree: Plan, targetlist: [TargetEntry], qual: [Node], initPlan: [SubPlan] }
    Scan = T_SeqScan | T_IndexScan | T_IndexOnlyScan | T_BitmapHeapScan | T_SampleScan | T_TidScan | T_TidRangeScan {}
    IndexScan = T_IndexScan { indexqualorig: [Node] }
    IndexOnlyScan = T_IndexOnlyScan { indexqual: [Node], indextlist: [TargetEntry] }
    BitmapIndexScan = T_BitmapIndexScan {}
    BitmapHeapScan = T_BitmapHeapScan { bitmapqualorig: [Node] }
    SubqueryScan = T_SubqueryScan { subplan: Plan }
    CteScan = T_CteScan {}
    CustomScan = T_CustomScan { custom_plans: [Plan] }
    Append = T_Append { appendplans: [Plan] }
    MergeAppend = T_MergeAppend {
        mergeplans: [Plan], sortColIdx: {i16; numCols}, sortOperators: {pg_sys::Oid; numCols}, nullsFirst: {bool; numCols}
    }
    BitmapAnd = T_BitmapAnd { bitmapplans: [Plan] }
    BitmapOr = T_BitmapOr { bitmapplans: [Plan] }
    Join = T_NestLoop | T_HashJoin | T_MergeJoin { joinqual: [Node] }
    NestLoop = T_NestLoop { nestParams: [NestLoopParam] }
    NestLoopParam { paramval: Node }
    HashJoin = T_HashJoin { hashclauses: [Node] }
    MergeJoin = T_MergeJoin { mergeclauses: [Node] }
    Sort = T_Sort | T_IncrementalSort {
        sortColIdx: {i16; numCols}, sortOperators: {pg_sys::Oid; numCols}, nullsFirst: {bool; numCols}
    }
    Agg = T_Agg {}
    ModifyTable = T_ModifyTable { resultRelations: List, updateColnosLists: [List] }
}

// Expressions
nodes! {
    TargetEntry { expr: Node }
    Var = T_Var {}
    Const = T_Const {}
    Param = T_Param {}
    SubPlan = T_SubPlan {}
    OpExpr = T_OpExpr { args: [Node] }
    ScalarArrayOpExpr = T_ScalarArrayOpExpr { args: [Node] }
    FuncExpr = T_FuncExpr {}
    BoolExpr = T_BoolExpr { args: [Node] }
    NullTest = T_NullTest { arg: Node }
    RelabelType = T_RelabelType { arg: Node }
    Aggref = T_Aggref { args: [TargetEntry] }
}

// Statements of the parser
nodes! {
    RawStmt { stmt: Node }
    IndexStmt = T_IndexStmt {
        relation: RangeVar, accessMethod: str, indexParams: [IndexElem], indexIncludingParams: [IndexElem], whereClause: Node
    }
    DropStmt = T_DropStmt { objects: [Node] }
    CreateExtensionStmt = T_CreateExtensionStmt { extname: str }
    ColumnRef = T_ColumnRef { fields: [Node] }
    List = T_List {}
}

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
/// The promises of [`elements`], and nothing else uses the list.
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
