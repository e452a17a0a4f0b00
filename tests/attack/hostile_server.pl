# hostile_server.pl DIRECTORY [REAL_SOCKET]: a server that attacks its clients. It speaks PostgreSQL's protocol 3 on the Unix socket
# DIRECTORY/.s.PGSQL.5432, and on two ports of loopback, whose numbers are in DIRECTORY/ssl-error and DIRECTORY/ssl-inject, where it
# answers the request for TLS by an error or by messages before the handshake. The name of the database chooses the attack:
#   startup-ATTACK   in place of the answer to the startup message
#   answer-ATTACK    in place of the answer to the first query
#   after2-ATTACK    the server at REAL_SOCKET (a directory) answers the startup and two queries, and the attack follows
#   after2-replace-TEXT  that server goes on to answer, but each text that it gives is replaced by that of this attack, and each answer
#                        has it as a notice
# What is long is sent in pieces, until the client hangs up: the server needs no memory for it. DIRECTORY/attacked has a line for each
# attack that began, so that a test fails where none did.
use strict;
use warnings;
use Fcntl ':flock';
use FindBin;
use IO::Select;
use IO::Socket::INET;
use IO::Socket::UNIX;
require "$FindBin::Bin/hostile_messages.pl";

my ($directory, $real) = @ARGV;
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';
my %listeners;
my $unix = "$directory/.s.PGSQL.5432";
unlink $unix;
my $local = IO::Socket::UNIX->new(Local => $unix, Listen => 64) or die "cannot listen at $unix: $!\n";
chmod 0777, $unix;
$listeners{fileno $local} = 'N';
my @listening = ($local);
for my $kind (qw(ssl-inject ssl-error)) {
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64) or die "cannot listen: $!\n";
    $listeners{fileno $listener} = $kind;
    push @listening, $listener;
    # The last file is there when all of them are.
    open my $port, '>', "$directory/$kind.new" or die;
    print $port $listener->sockport, "\n";
    close $port;
    rename "$directory/$kind.new", "$directory/$kind" or die;
}
my $select = IO::Select->new(@listening);
while (1) {
    for my $listener ($select->can_read) {
        my $client = $listener->accept or next;
        my $ssl = $listeners{fileno $listener};
        my $child = fork;
        next if !defined $child || $child;
        $SIG{CHLD} = 'DEFAULT';
        close $_ for @listening;
        serve($client, $ssl);
        exit;
    }
}

# serve CLIENT SSL: one connection, from its startup message on.
sub serve {
    my ($client, $ssl) = @_;
    my ($startup, $parameters);
    while (1) {
        my $length = unpack 'N', take($client, 4);
        $startup = take($client, $length - 4);
        my $code = unpack 'N', $startup;
        # A request to cancel has no answer; those for TLS and for GSSAPI have one byte.
        exit if $code == 80877102;
        last if $code != 80877103 && $code != 80877104;
        if ($code == 80877103 && $ssl eq 'ssl-error') {
            note('ssl-error');
            flood($client, 'E' . "\e]0;owned\a" . 'x' x 4096, 'x' x 65536);
        }
        if ($code == 80877103 && $ssl eq 'ssl-inject') {
            # What follows the S in plain text must not be taken for what comes encrypted after it.
            note('ssl-inject');
            give($client, 'S' . welcome() . rows([['value', 25]], [['x \! touch ran-on-client #']]));
            take($client, 1) while 1;
        }
        give($client, 'N');
    }
    (undef, my %parameter) = (substr($startup, 0, 4), split /\0/, substr $startup, 4);
    my ($stage, $attack) = ($parameter{database} // '') =~ /^(startup|answer|after\d+)-(.+)$/ or exit;
    if ($stage eq 'startup') {
        note("$stage-$attack");
        attack($client, $attack, '', 'startup');
        linger($client);
    }
    my ($replaced) = $attack =~ /^replace-(.*)/;
    my $answered = $stage =~ /(\d+)/ ? relay($client, $1, $parameter{user}, $replaced, "$stage-$attack") : undef;
    give($client, welcome()) if !defined $answered;
    answer($client, "$stage-$attack", $attack, $answered // '');
}

# answer CLIENT NAME ATTACK BEGUN: attacks in place of each answer. BEGUN is what has been read of the first query.
sub answer {
    my ($client, $name, $attack, $begun) = @_;
    my $noted;
    my ($query, $parameters) = ('', 0);
    while (1) {
        my ($type, $body);
        if (length $begun >= 5 && length $begun >= 1 + unpack 'N', substr $begun, 1, 4) {
            my $length = unpack 'N', substr $begun, 1, 4;
            ($type, $body) = (substr($begun, 0, 1), substr $begun, 5, $length - 4);
            substr($begun, 0, 1 + $length) = '';
        } else {
            my $head = $begun . take($client, 5 - length $begun);
            $begun = '';
            my $length = unpack 'N', substr $head, 1, 4;
            ($type, $body) = (substr($head, 0, 1), take($client, $length - 4));
        }
        exit if $type eq 'X';
        if ($type eq 'Q' || $type eq 'P') {
            ($query) = $type eq 'Q' ? $body =~ /^([^\0]*)/ : $body =~ /^[^\0]*\0([^\0]*)/;
            $parameters = 0;
            $parameters = $1 > $parameters ? $1 : $parameters while $query =~ /\$(\d+)/g;
        }
        if ($type eq 'Q') {
            note($name) if !$noted++;
            if (without_result($attack, $query)) {
                give($client, message('C', "SET\0") . ready());
            } else {
                attack($client, $attack, $query, 'simple');
            }
        } elsif ($type eq 'P') {
            give($client, message('1', ''));
        } elsif ($type eq 'B') {
            give($client, message('2', ''));
        } elsif ($type eq 'C') {
            give($client, message('3', ''));
        } elsif ($type eq 'D') {
            note($name) if !$noted++;
            give($client, message('t', pack 'n N*', $parameters, (25) x $parameters)) if $body =~ /^S/;
            give($client, without_result($attack, $query) ? message('n', '') : described($attack, $query));
        } elsif ($type eq 'E') {
            note($name) if !$noted++;
            if (without_result($attack, $query)) { give($client, message('C', "SET\0")) }
            else { attack($client, $attack, $query, 'extended') }
        } elsif ($type eq 'S') {
            give($client, ready());
        }
    }
}

# relay CLIENT ANSWERS USER REPLACED NAME: the real server answers the startup and so many queries; returns what has been read of the next
# one. With REPLACED it answers all, and from then on with that text.
sub relay {
    my ($client, $answers, $user, $replaced, $name) = @_;
    my $server = IO::Socket::UNIX->new(Peer => "$real/.s.PGSQL.5432") or exit;
    my $startup = pack('N', 196608) . join "\0", 'user', $user, 'database', 'postgres', 'client_encoding', 'UTF8', '', '';
    give($server, pack('N', 4 + length $startup) . $startup);
    my ($from_client, $from_server, $left, @texts) = ('', '', $answers + 1);
    my $ends = IO::Select->new($client, $server);
    while ($left > 0 || defined $replaced) {
        for my $end ($ends->can_read) {
            sysread $end, my $part, 65536 or exit;
            if ($end == $client) { give($server, $part); next }
            $from_server .= $part;
            while (length $from_server >= 5 && length $from_server >= 1 + unpack 'N', substr $from_server, 1, 4) {
                my $message = substr $from_server, 0, 1 + unpack('N', substr $from_server, 1, 4), '';
                @texts = text_columns($message) if $message =~ /^T/;
                if ($left <= 0) {
                    $message = replaced_row($message, text_of($replaced), @texts) if $message =~ /^D/;
                    $message = notice(text_of($replaced)) . $message if $message =~ /^Z/;
                    note($name) if $left-- == 0;
                } elsif ($message =~ /^Z/) {
                    $left--;
                }
                give($client, $message);
            }
        }
    }
    return $from_client;
}

# linger CLIENT: waits until it hangs up. Where it had messages to send, it gets no answer to them.
sub linger {
    my ($client) = @_;
    take($client, 1) while 1;
}

# note ATTACK
sub note {
    my ($attack) = @_;
    open my $attacked, '>>', "$directory/attacked" or die;
    flock $attacked, LOCK_EX;
    syswrite $attacked, "$attack\n";
}
