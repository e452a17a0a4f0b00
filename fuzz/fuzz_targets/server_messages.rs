#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ebs_advisor_fuzz::stack::small(|| {
    ebs_advisor_fuzz::server_messages::server_messages(data)
}));
