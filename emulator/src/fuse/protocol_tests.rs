use super::*;

/// A request as the kernel writes it: length, opcode, unique, inode, uid, gid, pid, padding, arguments.
fn request(opcode: u32, arguments: &[u8]) -> Vec<u8> {
    let mut bytes = Fields::default();
    bytes.u32((IN_HEADER_BYTES + arguments.len()) as u32).u32(opcode).u64(77).u64(1).u32(0).u32(0).u32(0).u32(0);
    bytes.0.extend(arguments);
    bytes.0
}

/// A `fuse_read_in` or `fuse_write_in`, which begin with the same fields.
fn transfer(offset: u64, size: u32, data: &[u8]) -> Vec<u8> {
    let mut arguments = Fields::default();
    arguments.u64(9).u64(offset).u32(size).u32(0).u64(0).u32(0).u32(0);
    arguments.0.extend(data);
    arguments.0
}

#[test]
fn reads_and_writes_are_parsed() {
    let read = request(15, &transfer(8_192, 4_096, &[]));
    let expected = Operation::Read { offset: 8_192, size: 4_096 };
    assert_eq!(parse(&read), Some(Request { unique: 77, operation: expected }));
    let write = request(16, &transfer(512, 3, b"abc"));
    assert_eq!(parse(&write).unwrap().operation, Operation::Write { offset: 512, data: b"abc" });
}

#[test]
fn a_truncated_request_is_refused() {
    let write = request(16, &transfer(512, 3, b"abc"));
    for length in 0..write.len() {
        assert_eq!(parse(&write[..length]), None, "{length}");
    }
}

#[test]
fn operations_without_effect_without_reply_and_without_support_differ() {
    for (opcode, operation) in [
        (2, Operation::NoReply),
        (36, Operation::NoReply),
        (42, Operation::NoReply),
        (20, Operation::NoOp),
        (25, Operation::NoOp),
        (43, Operation::Unsupported),
        (1, Operation::Unsupported),
    ] {
        assert_eq!(parse(&request(opcode, &[0; 64])).unwrap().operation, operation, "{opcode}");
    }
}

/// Lengths of `struct fuse_…_out`: the kernel refuses a reply of any other.
#[test]
fn replies_have_the_lengths_that_the_kernel_expects() {
    assert_eq!(init_out(u32::MAX).len(), 64);
    assert_eq!(attr_out(1 << 30).len(), 16 + 88);
    assert_eq!(open_out().len(), 16);
    assert_eq!(statfs_out(1 << 30).len(), 80);
    assert_eq!(out_header(77, EIO, 8), [24, 0, 0, 0, 251, 255, 255, 255, 77, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn no_feature_is_taken_that_the_kernel_does_not_have() {
    let taken = |kernel_flags| u32::from_ne_bytes(init_out(kernel_flags)[12..16].try_into().unwrap());
    assert_eq!(taken(0), 0);
    assert_eq!(taken(FUSE_ASYNC_DIO | 1 << 31), FUSE_ASYNC_DIO);
}
