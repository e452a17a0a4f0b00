# The attacks of hostile_server.pl, by name. Sourced by it.
use strict;
use warnings;

# Bytes that a long message declares, and of the pieces that it is sent in.
my $LONG = 900_000_000;
my $PIECE = 'x' x 1_048_576;
# Code for psql, for a shell and for SQL; marks as a client could put between answers; what changes a terminal or the order of letters.
my @SHELL = ('x \! touch ran-on-client #', "x\n\\! touch ran-on-client\n", '"; \! touch ran-on-client', "`touch ran-on-client`",
    "\$(touch ran-on-client)", "'; \\! touch ran-on-client --", ":'x' \\g |touch\\ ran-on-client", "\\o |touch ran-on-client\n");
my $ESCAPES = "\e]0;owned\a\e[2J\e[31mred\x{c2}\x{9b}31m\x{c2}\x{9d}0;owned\x{c2}\x{9c}\xe2\x80\xae\xe2\x81\xa6abc\x08\x7f\r\xc2\x85";

# take SOCKET LENGTH: so many bytes; without them this process ends.
sub take {
    my ($socket, $length) = @_;
    exit if $length < 0 || $length > 1_000_000_000;
    my $bytes = '';
    while (length $bytes < $length) { sysread $socket, $bytes, $length - length $bytes, length $bytes or exit }
    return $bytes;
}

# give SOCKET BYTES
sub give {
    my ($socket, $bytes) = @_;
    my $offset = 0;
    while ($offset < length $bytes) { $offset += syswrite($socket, $bytes, length($bytes) - $offset, $offset) || exit }
}

# flood SOCKET FIRST REPEATED [BYTES]: so many bytes, or until the client hangs up.
sub flood {
    my ($socket, $first, $repeated, $bytes) = @_;
    give($socket, $first);
    for (my $sent = 0; !defined $bytes || $sent < $bytes; $sent += length $repeated) { give($socket, $repeated) }
}

# trickle SOCKET BYTES: a byte a second, and nothing more after the last.
sub trickle {
    my ($socket, $bytes) = @_;
    for (my $sent = 0; $sent < length $bytes; $sent++) { give($socket, substr $bytes, $sent, 1); sleep 1 }
    sleep 1 while 1;
}

sub message { my ($type, $body) = @_; return $type . pack('N', 4 + length $body) . $body }
sub ready { return message('Z', 'I') }
sub parameter { my ($name, $value) = @_; return message('S', "$name\0$value\0") }
# welcome: all of a startup that needs no password.
sub welcome {
    return message('R', pack 'N', 0) . join('', map { parameter(@$_) } ['server_version', '18.0'], ['client_encoding', 'UTF8'],
        ['server_encoding', 'UTF8'], ['standard_conforming_strings', 'on'], ['DateStyle', 'ISO, MDY'], ['TimeZone', 'UTC'],
        ['integer_datetimes', 'on'], ['is_superuser', 'on']) . message('K', pack 'N N', 4711, 4712) . ready();
}
# fields SEVERITY CODE TEXT: the body of an error or a notice, with the text in each part that a client may show.
sub fields {
    my ($severity, $code, $text) = @_;
    return join("\0", "S$severity", "V$severity", "C$code", "M$text", "D$text", "H$text", "W$text", "s$text", "t$text", "R$text") . "\0\0";
}
sub failure { return message('E', fields('ERROR', $_[1] // '42501', $_[0])) }
sub notice { return message('N', fields('WARNING', '01000', $_[0] // '')) }
# description COLUMNS: RowDescription of columns [NAME, OID].
sub description {
    my ($columns) = @_;
    return message('T', pack('n', scalar @$columns) . join '', map { "$_->[0]\0" . pack 'N n N n N n', 0, 0, $_->[1], 0xffff, 0xffffffff, 0 } @$columns);
}
sub row { return message('D', pack('n', scalar @_) . join '', map { defined $_ ? pack('N', length $_) . $_ : pack 'N', 0xffffffff } @_) }
sub rows {
    my ($columns, $rows) = @_;
    return description($columns) . join('', map { row(@$_) } @$rows) . message('C', 'SELECT ' . @$rows . "\0") . ready();
}
# columns QUERY: the columns that the query names, of type text.
sub columns {
    my ($query) = @_;
    return [['ebs_schema', 25]] if $query =~ /AS ebs_schema/;
    return [['value', 25], ['query_id', 20]] if $query =~ /AS query_id/;
    return [['value', 25]];
}

# text_attack ATTACK: true of those that are in the text of an answer.
sub text_attack { return $_[0] =~ /^(shell-\d|marks|escapes|null)$/ }

# without_result ATTACK QUERY: true of a statement without a result, which is answered, so that the client goes on to one that has one.
sub without_result { return text_attack($_[0]) && $_[1] =~ /^\s*(DO|SET|BEGIN|COMMIT|ROLLBACK|RESET|DISCARD|LISTEN)\b/i }
# text_of ATTACK: undef is NULL.
sub text_of {
    my ($attack) = @_;
    return $attack =~ /^shell-(\d)$/ ? $SHELL[$1] : $attack eq 'escapes' ? $ESCAPES : $attack eq 'utf8' ? "\xff\xc0" : undef;
}
# text_columns DESCRIPTION: for each column of a RowDescription, true where it is a text, a name or JSON.
sub text_columns {
    my ($message) = @_;
    my ($count, $at, @texts) = (unpack('n', substr $message, 5, 2), 7);
    for (1 .. $count) {
        $at = 1 + index $message, "\0", $at;
        push @texts, scalar grep { $_ == unpack 'N', substr $message, $at + 6, 4 } 19, 25, 114, 1042, 1043;
        $at += 18;
    }
    return @texts;
}
# replaced_row ROW TEXT COLUMN…: the DataRow with this text in the columns that have one.
sub replaced_row {
    my ($message, $text, @texts) = @_;
    my ($count, $at, @values) = (unpack('n', substr $message, 5, 2), 7);
    for (0 .. $count - 1) {
        my $length = unpack 'N', substr $message, $at, 4;
        $at += 4;
        my $value = $length == 0xffffffff ? undef : substr $message, $at, $length;
        $at += $length if defined $value;
        push @values, $texts[$_] ? $text : $value;
    }
    return row(@values);
}

# described ATTACK QUERY: the answer to Describe.
sub described {
    my ($attack, $query) = @_;
    return description([map { ["c$_", 25] } 1 .. 32767]) if $attack eq 'columns';
    return description([['value', 4_000_000_000]]) if $attack eq 'type';
    return message('n', '') if $attack eq 'no-columns';
    return description(columns($query));
}

# attack SOCKET ATTACK QUERY STATE: in place of an answer. STATE is startup, simple (the columns are to be described) or extended (they
# were described, and a Sync follows).
sub attack {
    my ($socket, $attack, $query, $state) = @_;
    my $columns = columns($query);
    my $begin = $state eq 'simple' ? description($columns) : $state eq 'startup' ? message('R', pack 'N', 0) : '';
    my $end = message('C', "SELECT 1\0") . ($state eq 'simple' ? ready() : '');
    my @values = map { '1' } 2 .. @$columns;
    my $header = sub { my ($type, $length) = @_; $type . pack 'N', $length };
    my $error = message('E', fields('ERROR', 'XX000', 'refused'));
    my %attacks = (
        # One message of 900 MB, with the beginning that it must have.
        'long-notice' => sub { flood($socket, $header->('N', $LONG) . "SWARNING\0C01000\0M", $PIECE, $LONG) },
        'long-error' => sub { flood($socket, $header->('E', $LONG) . "SERROR\0CXX000\0M", $PIECE, $LONG) },
        'long-row' => sub { flood($socket, $begin . $header->('D', $LONG) . pack('n N', 1, $LONG - 10), $PIECE, $LONG) },
        'long-description' => sub { flood($socket, $header->('T', $LONG) . pack('n', 1), $PIECE, $LONG) },
        'long-parameter' => sub { flood($socket, $header->('S', $LONG) . "application_name\0", $PIECE, $LONG) },
        'long-notification' => sub { flood($socket, $header->('A', $LONG) . pack('N', 1) . "x\0", $PIECE, $LONG) },
        'long-tag' => sub { flood($socket, $header->('C', $LONG), $PIECE, $LONG) },
        'long-authentication' => sub { flood($socket, $header->('R', $LONG) . pack('N', 10), $PIECE, $LONG) },
        # Short ones without end.
        'notices' => sub { flood($socket, $begin, notice('n' x 200) x 100) },
        'errors' => sub { flood($socket, '', failure('e' x 200) x 100) },
        'rows' => sub { flood($socket, $begin, row('r' x 1000, @values) x 100) },
        'empty-rows' => sub { flood($socket, $begin, row('', @values) x 1000) },
        'parameters' => sub { flood($socket, $begin, join '', map { parameter("x.y$_", 'p' x 1000) } 1 .. 100) },
        'new-parameters' => sub { my $n = 0; give($socket, $begin); give($socket, join '', map { parameter('x.y' . $n++, 'p' x 1000) } 1 .. 100) while 1 },
        'notifications' => sub { flood($socket, $begin, message('A', pack('N', 1) . "c\0" . 'n' x 1000 . "\0") x 100) },
        'copy-data' => sub { flood($socket, message('H', pack 'C n n', 0, 1, 0), message('d', 'c' x 1000) x 100) },
        'readies' => sub { flood($socket, '', ready() x 1000) },
        'descriptions' => sub { flood($socket, '', description($columns) x 100) },
        # Headers and rows that are none.
        'length-0' => sub { give($socket, $begin . $header->('D', 0) . 'x' x 100) },
        'length-3' => sub { give($socket, $begin . $header->('D', 3) . 'x' x 100) },
        'length-negative' => sub { flood($socket, $begin . $header->('D', 0xffffffff), $PIECE, $LONG) },
        'length-most' => sub { flood($socket, $begin . $header->('D', 0x7fffffff), $PIECE, $LONG) },
        'unknown-type' => sub { give($socket, message("\x01", 'x')) },
        'cut' => sub { give($socket, $begin . $header->('D', 1000) . 'x' x 10); exit },
        'gone' => sub { exit },
        'fewer-values' => sub { give($socket, $begin . message('D', pack 'n', 0) . $end) },
        'more-values' => sub { give($socket, $begin . row(('1') x 100) . $end) },
        'most-values' => sub { give($socket, $begin . message('D', pack 'n', 0xffff) . $end) },
        'value-beyond' => sub { give($socket, $begin . message('D', pack('n N', 1, 0x7ffffff0) . 'x') . $end) },
        'value-negative' => sub { give($socket, $begin . message('D', pack('n N', 1, 0xfffffffe) . 'x') . $end) },
        'columns' => sub { my $described = $state eq 'simple' ? description([map { ["c$_", 25] } 1 .. 32767]) : ''; give($socket, $described . row(('x') x 32767) . $end) },
        'type' => sub { my $described = $state eq 'simple' ? description([['value', 4_000_000_000]]) : ''; give($socket, $described . row('x') . $end) },
        'no-columns' => sub { give($socket, $end) },
        'no-rows' => sub { give($socket, $begin . $end) },
        'two-rows' => sub { give($socket, $begin . row('1', @values) . row('2', @values) . $end) },
        'copy-in' => sub { give($socket, message('G', pack 'C n n', 0, 1, 0)) },
        'copy-out' => sub { give($socket, message('H', pack 'C n n', 0, 1, 0) . message('d', "x\n") . message('c', '') . $end) },
        'copy-both' => sub { give($socket, message('W', pack 'C n n', 0, 1, 0)) },
        'invalid-utf8' => sub { give($socket, notice("\xff\xfe\xc0\x80") . $begin . row("\xff\xfe\xc0\x80", @values) . $end) },
        'nul' => sub { give($socket, $begin . row("a\0b", @values) . $end) },
        'null' => sub { give($socket, $begin . row(undef, @values) . $end) },
        # Text. What is a value here may be the name of a schema, of a role, or of a device there.
        (map { my $code = $SHELL[$_]; ("shell-$_" => sub { give($socket, notice($code) . $begin . row($code, @values) . $end) }) } 0 .. $#SHELL),
        'shell-error' => sub { give($socket, join('', map { notice($_) } @SHELL) . failure("\n" . join "\n", @SHELL)) },
        'marks' => sub { give($socket, join('', map { notice("\nebsctl-$_-1-value {}\nebsctl-$_-1-end false 00000\n") } 1 .. 1000) . $begin . row('', @values) . $end) },
        'escapes' => sub { give($socket, parameter('server_version', $ESCAPES) . notice($ESCAPES) . $begin . row($ESCAPES, @values) . $end) },
        'escapes-error' => sub { give($socket, notice($ESCAPES) . failure($ESCAPES)) },
        'escapes-code' => sub { give($socket, failure($ESCAPES, $ESCAPES)) },
        # Too slow, or never.
        'slow' => sub { trickle($socket, $begin . row('x' x 1_000_000)) },
        'slow-notices' => sub { give($socket, $begin); while (1) { give($socket, notice('still at work')); sleep 1 } },
        'silent' => sub { sleep 1 while 1 },
        'scram' => sub { scram($socket, 0x7fffffff) },
        'md5' => sub { give($socket, message('R', pack('N', 5) . 'salt')) },
        'password' => sub { give($socket, message('R', pack 'N', 3)) },
        'negotiate' => sub { flood($socket, $header->('v', $LONG) . pack('N N', 0, 0x7fffffff), "x\0" x 524_288, $LONG) },
    );
    my $chosen = $attacks{$attack} or die "there is no attack $attack\n";
    $chosen->();
    # A client that reads on after what is none of an answer gets the end of one, and the error that it is.
    give($socket, $error) if $attack =~ /^copy-(in|both)$/;
    give($socket, ready()) if $state eq 'simple' && $attack =~ /^(copy-in|copy-both|.*-error|escapes-code)$/;
}

# scram SOCKET ITERATIONS: SCRAM-SHA-256 (RFC 5802) with so many iterations, which the client is to do before it knows the server.
sub scram {
    my ($socket, $iterations) = @_;
    give($socket, message('R', pack('N', 10) . "SCRAM-SHA-256\0\0"));
    my (undef, $length) = unpack 'a N', take($socket, 5);
    my ($nonce) = take($socket, $length - 4) =~ /,r=([^,]*)/ or exit;
    give($socket, message('R', pack('N', 11) . "r=${nonce}more,s=c2FsdHNhbHRzYWx0,i=$iterations"));
}
1;
