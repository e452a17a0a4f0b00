# hostile_engine.pl DIRECTORY: an engine of ebsctl fleet that attacks it, over HTTP on a free port of loopback, written to DIRECTORY/port.
# The first part of the path chooses the attack. Another port, as another host would be, writes each request that it gets to
# DIRECTORY/stolen. DIRECTORY/asked has the attacks that were asked for.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;

my ($directory) = @ARGV;
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';
my ($engine, $thief) = map { IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64) or die "cannot listen: $!\n" } 1, 2;
open my $file, '>', "$directory/port.new" or die;
print $file $engine->sockport, "\n";
close $file;
rename "$directory/port.new", "$directory/port" or die;
my $escapes = "\e]0;owned\a\e[2J\xc2\x9b31m\xe2\x80\xae\x08";
my $spaces = ' ' x 1_048_576;
my $select = IO::Select->new($engine, $thief);
while (1) {
    for my $listener ($select->can_read) {
        my $client = $listener->accept or next;
        my $child = fork;
        next if !defined $child || $child;
        my $head = '';
        while ($head !~ /\r\n\r\n/) { sysread $client, $head, 65536, length $head or exit }
        if ($listener == $thief) { note('stolen', $head); reply($client, 200, '{"status":"success","data":[]}'); exit }
        my ($attack) = $head =~ m{^\S+ /([a-z-]+)} or exit;
        note('asked', "$attack\n");
        attack($client, $attack, $head);
        exit;
    }
}

sub attack {
    my ($client, $attack, $head) = @_;
    my ($path) = $head =~ m{^\S+ (\S+)};
    my $ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    my %attacks = (
        'redirect' => sub { give($client, "HTTP/1.1 307 Moved\r\nLocation: http://localhost:" . $thief->sockport . "$path\r\nContent-Length: 0\r\n\r\n") },
        'body' => sub { give($client, "$ok\r\n{\"status\":\"success\",\"data\":["); give($client, $spaces) while 1 },
        'chunks' => sub { give($client, "${ok}Transfer-Encoding: chunked\r\n\r\n"); give($client, "100000\r\n$spaces\r\n") while 1 },
        'length' => sub { give($client, "${ok}Content-Length: 99999999999999\r\n\r\n"); give($client, $spaces) while 1 },
        'headers' => sub { give($client, "HTTP/1.1 200 OK\r\n"); give($client, "X-A: " . 'x' x 1000 . "\r\n") while 1 },
        'header' => sub { give($client, "HTTP/1.1 200 OK\r\nX-A: "); give($client, $spaces) while 1 },
        'error' => sub { give($client, "HTTP/1.1 400 Bad\r\n\r\n"); give($client, $spaces) while 1 },
        'deep' => sub { reply($client, 200, '{"status":"success","data":' . '[' x 2_000_000) },
        'escapes' => sub { reply($client, 400, "{\"status\":\"error\",\"errorType\":\"$escapes\",\"error\":\"$escapes\\u001b]0;owned\\u0007\"}") },
        'escapes-text' => sub { reply($client, 500, $escapes) },
        'escapes-status' => sub { give($client, "HTTP/1.1 500 $escapes\r\nContent-Length: 0\r\n\r\n") },
        'slow' => sub { for my $byte (split //, "$ok\r\n" . ' ' x 10_000) { give($client, $byte); sleep 1 } },
    );
    ($attacks{$attack} || sub { reply($client, 404, '') })->();
}

sub reply { my ($client, $status, $body) = @_; give($client, "HTTP/1.1 $status Answer\r\nContent-Length: " . length($body) . "\r\nConnection: close\r\n\r\n$body") }

sub give {
    my ($client, $bytes) = @_;
    my $offset = 0;
    while ($offset < length $bytes) { $offset += syswrite($client, $bytes, length($bytes) - $offset, $offset) || exit }
}

sub note {
    my ($name, $text) = @_;
    open my $notes, '>>', "$directory/$name" or die;
    syswrite $notes, $text;
}
