# faulty_proxy.pl DIRECTORY URL: an HTTP proxy in front of an engine, for requests that go wrong. It listens on a free port of loopback,
# written to DIRECTORY/port. Each request takes the first line of DIRECTORY/plan whose pattern its path or body matches, and removes it:
#   PATTERN 503          the answer is this status
#   PATTERN 404 always   the same, and the line stays
#   PATTERN 429 Retry-After:60   the same with a header, which has no blanks
#   PATTERN drip SECONDS the answer is a byte a second for so long, and then nothing
#   PATTERN cut BYTES    the connection is closed after so many bytes of the answer
#   PATTERN hold         the engine has half of the request until DIRECTORY/go exists; meanwhile DIRECTORY/held does
#   PATTERN pass         nothing goes wrong
# Where DIRECTORY/authentication exists, a request without its credentials gets 403 (authentication.pl), and DIRECTORY/refused the reason.
# A request without a line is passed on. DIRECTORY/requests has a line for each: the action, or "refused" where no engine listens. Where
# DIRECTORY/recorded exists, it gets each request as arguments of curl (--config), which repeat it.
use strict;
use warnings;
use Fcntl ':flock';
use FindBin;
use IO::Socket::INET;
require "$FindBin::Bin/authentication.pl";

my ($directory, $url) = @ARGV;
my ($engine) = $url =~ m{^http://([^/]+)} or die "no address in $url\n";
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64) or die "cannot listen: $!\n";
open my $port, '>', "$directory/port.new" or die;
print $port $listener->sockport, "\n";
close $port;
rename "$directory/port.new", "$directory/port" or die;
while (1) {
    my $client = $listener->accept or next;
    my $child = fork;
    next if !defined $child || $child;
    close $listener;
    answer($client);
    exit;
}

sub answer {
    my ($client) = @_;
    my $request = '';
    while ($request !~ /\r\n\r\n/) { sysread $client, $request, 65536, length $request or return }
    my ($head, $body) = $request =~ /^(.*?\r\n)\r\n(.*)$/s;
    my $length = $head =~ /^Content-Length: *(\d+)/mi ? $1 : 0;
    while (length $body < $length) { sysread $client, $body, 65536, length $body or return }
    my ($path) = $head =~ m{^\S+ (\S+)};
    record($head, $body) if -d "$directory/recorded";
    my ($action, $argument) = planned("$path $body");
    my $text = "made up by the test\n";
    my $refusal = refusal($directory, $head, $body);
    if ($refusal) {
        open my $refused, '>>', "$directory/refused" or die;
        print $refused "$refusal\n";
        ($action, $text) = (403, "the test refuses these credentials\n");
    }
    if ($action =~ /^\d+$/) {
        note($path, $action);
        my $header = ($argument // '') =~ /:/ ? "$argument\r\n" : '';
        print $client "HTTP/1.1 $action Fault\r\nContent-Length: ", length $text, "\r\n${header}Connection: close\r\n\r\n$text";
        return;
    }
    if ($action eq 'drip') {
        note($path, $action);
        syswrite $client, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
        for (1 .. $argument) { syswrite $client, ' ' or return; sleep 1 }
        return;
    }
    # One request a connection.
    $head =~ s/^(Connection|Proxy-Connection|Keep-Alive):.*\r\n//mgi;
    my $server = IO::Socket::INET->new(PeerAddr => $engine);
    if (!$server) { note($path, 'refused'); return }
    $head .= "Connection: close\r\n";
    syswrite $server, $head;
    if ($action eq 'hold') {
        open my $held, '>', "$directory/held" or die;
        close $held;
        select undef, undef, undef, 0.05 until -e "$directory/go";
    }
    note($path, $action);
    syswrite $server, "\r\n$body";
    my $left = $action eq 'cut' ? $argument : 9e15;
    while ($left > 0 && sysread $server, my $part, 65536) {
        $part = substr $part, 0, $left;
        $left -= length $part;
        while (length $part) {
            my $written = syswrite $client, $part or return;
            substr $part, 0, $written, '';
        }
    }
}

# planned REQUEST: the action for this request and its argument; the line is removed.
sub planned {
    my ($request) = @_;
    open my $plan, '+<', "$directory/plan" or return 'pass';
    flock $plan, LOCK_EX;
    my ($found, @left);
    for my $line (<$plan>) {
        my ($pattern) = split ' ', $line;
        my $taken = !$found && $request =~ /$pattern/s;
        $found = $line if $taken;
        push @left, $line if !$taken || $line =~ / always$/;
    }
    return 'pass' if !$found;
    seek $plan, 0, 0;
    truncate $plan, 0;
    print $plan @left;
    close $plan;
    my (undef, @action) = split ' ', $found;
    return @action;
}

sub record {
    my ($head, $body) = @_;
    my ($line, @headers) = split /\r\n/, $head;
    my ($method, $path) = split ' ', $line;
    my $file = "$directory/recorded/$$";
    open my $config, '>', "$file.curl" or die;
    my $quoted = sub { my ($text) = @_; $text =~ s/(["\\])/\\$1/g; "\"$text\"\n" };
    print $config 'url = ', $quoted->("$url$path"), 'request = ', $quoted->($method), "output = \"/dev/null\"\nnoproxy = \"*\"\n",
        "silent\nwrite-out = \"%{size_download} %{http_code}\\\\n\"\n";
    print $config 'header = ', $quoted->($_) for grep { !/^(Host|Content-Length|Connection|Expect):/i } @headers;
    return if !length $body;
    open my $data, '>:raw', "$file.body" or die;
    print $data $body;
    print $config 'data-binary = ', $quoted->("\@$file.body");
}

sub note {
    my ($path, $action) = @_;
    open my $requests, '>>', "$directory/requests" or die;
    flock $requests, LOCK_EX;
    # Not the parameters, which may be long.
    $path =~ s/\?.*//;
    syswrite $requests, "$action $path\n";
}
