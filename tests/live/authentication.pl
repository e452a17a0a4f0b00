# Checks the credentials of requests, written from the specifications and not from curl. DIRECTORY/authentication has a rule:
#   header NAME: VALUE                                  the request has this header
#   bearer                                              it has the token in DIRECTORY/token, which is another one for the next request
#   sigv4 REGION SERVICE ACCESS_KEY SECRET [TOKEN]      AWS Signature Version 4, with this session token in a signed header
#   (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html)
# `perl authentication.pl` signs AWS's published example and prints the signature.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256 hmac_sha256_hex sha256_hex);
use Time::Local;

# Seconds by which a signature may be older or newer than its arrival: AWS allows five minutes.
my $MAX_AGE = 300;

# refusal DIRECTORY HEAD BODY: the reason to refuse a request, or nothing.
sub refusal {
    my ($directory, $head, $body) = @_;
    open my $file, '<', "$directory/authentication" or return;
    my @rules = <$file>;
    for (@rules) {
        chomp;
        my ($kind, $rule) = split ' ', $_, 2;
        my $reason = $kind eq 'header' ? header_refusal($head, $rule)
            : $kind eq 'bearer' ? bearer_refusal($directory, $head)
            : $kind eq 'sigv4' ? signature_refusal($head, $body, split ' ', $rule)
            : "no rule $kind";
        return $reason if $reason;
    }
    return;
}

# headers HEAD: the values of each header by its name in lower case.
sub headers {
    my ($head) = @_;
    my (undef, @lines) = split /\r\n/, $head;
    my %headers;
    for (@lines) {
        my ($name, $value) = /^([^:]+):\s*(.*?)\s*$/ or next;
        push @{$headers{lc $name}}, $value;
    }
    return \%headers;
}

sub header_refusal {
    my ($head, $rule) = @_;
    my ($name, $value) = split /: /, $rule, 2;
    my $found = headers($head)->{lc $name} || [];
    return "@$found" eq $value ? '' : "$name is \"@$found\"";
}

sub bearer_refusal {
    my ($directory, $head) = @_;
    open my $file, '<', "$directory/token" or return 'no token';
    chomp(my $token = <$file>);
    close $file;
    my $reason = header_refusal($head, "Authorization: Bearer $token");
    return $reason if $reason;
    # The next one is there before the answer is.
    my $next = ++$token;
    open my $new, '>', "$directory/token.new" or return 'no new token';
    print $new "$next\n";
    close $new;
    rename "$directory/token.new", "$directory/token" or return 'no new token';
    return;
}

sub signature_refusal {
    my ($head, $body, $region, $service, $access_key, $secret, $token) = @_;
    my $headers = headers($head);
    my ($authorization, $date) = map { $headers->{$_} ? $headers->{$_}[0] : '' } qw(authorization x-amz-date);
    my ($credential, $signed, $signature) =
        $authorization =~ m{^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$}
        or return 'no signature';
    my ($day) = $date =~ /^(\d{8})T\d{6}Z$/ or return 'no date';
    return "the credential is $credential" if $credential ne "$access_key/$day/$region/$service/aws4_request";
    return 'the date is another' if abs(seconds($date) - time) > $MAX_AGE;
    my %signed = map { $_ => 1 } split /;/, $signed;
    for (grep { $_ eq 'host' || /^x-amz-/ } keys %$headers) { return "$_ is not signed" if !$signed{$_} }
    return 'the session token is another' if ($headers->{'x-amz-security-token'} || [''])->[0] ne ($token // '');
    my $expected = signature($head, $body, $signed, $date, $region, $service, $secret);
    return $signature eq $expected ? '' : 'the signature is another';
}

# signature HEAD BODY SIGNED_HEADERS DATE REGION SERVICE SECRET
sub signature {
    my ($head, $body, $signed, $date, $region, $service, $secret) = @_;
    my $headers = headers($head);
    my ($method, $target) = split ' ', $head;
    my ($path, $query) = split /\?/, $target, 2;
    my $canonical = join "\n", $method, join('/', map { encode($_) } split m{/}, $path, -1), canonical_query($query // ''),
        (map { my $values = join ',', @{$headers->{$_} || []}; $values =~ s/ +/ /g; "$_:$values" } split /;/, $signed),
        '', $signed, sha256_hex($body);
    my $day = substr $date, 0, 8;
    my $scope = "$day/$region/$service/aws4_request";
    my $text = join "\n", 'AWS4-HMAC-SHA256', $date, $scope, sha256_hex($canonical);
    my $key = "AWS4$secret";
    $key = hmac_sha256($_, $key) for $day, $region, $service, 'aws4_request';
    return hmac_sha256_hex($text, $key);
}

# Of every service but S3, a path is encoded once more than it is in the request.
sub encode { my ($text) = @_; $text =~ s/([^A-Za-z0-9\-._~])/sprintf '%%%02X', ord $1/ge; return $text }

sub canonical_query {
    my ($query) = @_;
    return join '&', sort map { /=/ ? $_ : "$_=" } split /&/, $query;
}

sub seconds {
    my ($year, $month, $day, $hour, $minute, $second) = $_[0] =~ /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
    return timegm($second, $minute, $hour, $day, $month - 1, $year);
}

# AWS's example get-vanilla of the test suite of Signature Version 4.
print signature("GET / HTTP/1.1\r\nHost: example.amazonaws.com\r\nX-Amz-Date: 20150830T123600Z\r\n", '', 'host;x-amz-date',
    '20150830T123600Z', 'us-east-1', 'service', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'), "\n" if !caller;
1;
