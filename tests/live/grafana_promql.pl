# grafana_promql.pl URL AT FILE…: every query of Prometheus on dashboards (with the variables as Grafana puts them in, all values chosen)
# and in answers of /api/v1/rules, asked of the engine at URL for the time AT, seconds since 1970. Prints a line a series: place, labels
# and the last value. A query that gives an error, or has a variable that is not known here, ends the program.
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my ($url, $at, @files) = @ARGV;
my $http = HTTP::Tiny->new(timeout => 300, no_proxy => ['127.0.0.1']);
# Four scrapes of a minute are Grafana's rate interval; All is the variable's own pattern.
my %variables = (__rate_interval => '4m', __range => '3h', job => '.+', instance => '.+', device => '.+', iops_limit => 3000, mibps_limit => 125);

sub expanded {
    my ($query) = @_;
    $query =~ s/\$([a-z_]+)/$variables{$1} \/\/ die "a variable that is not known: \$$1 in $query\n"/ge;
    die "a variable that is not known: $query\n" if $query =~ /\$\{|\[\[/;
    return $query;
}
sub ask {
    my ($path, %form) = @_;
    my $answer = $http->post_form("$url/api/v1/$path", \%form);
    my $document = eval { decode_json($answer->{content}) } || {};
    die "$path of $form{query}: $answer->{status} $answer->{content}\n" unless ($document->{status} // '') eq 'success';
    return $document->{data};
}
sub show {
    my ($place, $query, $instant) = @_;
    my $data = $instant ? ask('query', query => $query, time => $at) : ask('query_range', query => $query, start => $at - 10800, end => $at, step => 60);
    my @lines;
    for my $series (@{ $data->{result} }) {
        my $value = $instant ? $series->{value} : $series->{values}[-1];
        my %labels = %{ $series->{metric} };
        # VictoriaMetrics keeps the name of a metric where Prometheus drops it; no query rests on it.
        delete $labels{__name__};
        push @lines, sprintf "%s: %s%.5g\n", $place, join('', map { "$_=$labels{$_} " } sort keys %labels), $value->[1];
    }
    print @lines ? sort @lines : "$place: no series\n";
}
sub variable {
    my ($variable) = @_;
    my ($metric, $label) = expanded($variable->{query}{query}) =~ /^label_values\((.*), (\w+)\)$/ or die "$variable->{name}: not label_values\n";
    my $answer = $http->get("$url/api/v1/label/$label/values?" . $http->www_form_urlencode({ 'match[]' => $metric, start => $at - 10800, end => $at }));
    die "$variable->{name}: $answer->{status} $answer->{content}\n" unless $answer->{success};
    printf "variable %s: %s\n", $variable->{name}, join ' ', sort @{ decode_json($answer->{content})->{data} };
}

for my $file (@files) {
    open my $in, '<:raw', $file or die "$file: $!\n";
    my $document = decode_json(do { local $/; <$in> });
    variable($_) for grep { $_->{type} eq 'query' } @{ $document->{templating}{list} };
    for my $panel (@{ $document->{panels} }) {
        show("$panel->{title} $_->{refId}", expanded($_->{expr}), $_->{instant}) for @{ $panel->{targets} };
    }
    for my $rule (map { @{ $_->{rules} } } @{ $document->{data}{groups} }) {
        show(join(' ', $rule->{name}, map { $rule->{labels}{$_} // () } 'limit', 'of'), $rule->{query}, 1);
    }
}
