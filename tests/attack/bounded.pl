# bounded.pl REPORT COMMAND…: runs the command, and writes to the file REPORT how it ended: "exit STATUS", "signal NUMBER", or "too much
# memory", "too much CPU" and "too much time" where a limit of this program ended it; then the largest resident memory, in KiB, that one
# of its processes had. The exit status is 0 where the command ended by itself, with at most BOUNDED_KIB (65,536) of memory.
use strict;
use warnings;
use POSIX qw(:sys_wait_h);

my ($report, @command) = @ARGV;
my $bound = $ENV{BOUNDED_KIB} || 65_536;
# A defect ends here, and not when the machine's memory does: at eight times what is allowed, at CPU time that only a hostile amount of
# work needs, and at a time that only a wait without end takes.
my $most = 8 * $bound;
my $cpu = $ENV{BOUNDED_CPU} || 60;
my $until = time + ($ENV{BOUNDED_SECONDS} || 300);
my $child = fork // die;
if (!$child) { exec 'bash', '-c', "ulimit -t $cpu; exec \"\$@\"", 'bash', @command or die }
$SIG{$_} = sub { end_all(); exit 1 } for qw(INT TERM HUP);
my $ended = '';
my $largest = 0;
while (waitpid($child, WNOHANG) == 0) {
    for my $pid (descendants()) {
        my $used = peak($pid);
        $largest = $used if $used > $largest;
        $ended ||= 'too much memory' if $used > $most;
    }
    $ended ||= 'too much time' if time > $until;
    end_all() if $ended;
    select undef, undef, undef, 0.01;
}
my $status = $?;
# The kernel's own record of those that were waited for: nothing is missed between two looks.
my $recorded = children_peak();
$largest = $recorded if $recorded > $largest;
my $signal = $status & 127;
$ended ||= $signal == 24 ? 'too much CPU' : $signal ? "signal $signal" : 'exit ' . ($status >> 8);
open my $file, '>', $report or die "$report: $!\n";
print $file "$ended\n$largest\n";
close $file;
exit($ended =~ /^exit/ && $largest <= $bound ? 0 : 1);

# descendants: the child and all processes below it. Of psql's kind, they may have groups of their own.
sub descendants {
    my @found = ($child);
    for (my $next = 0; $next < @found; $next++) {
        open my $children, '<', "/proc/$found[$next]/task/$found[$next]/children" or next;
        push @found, split ' ', <$children> // '';
    }
    return @found;
}

sub end_all { kill 'KILL', descendants() }

# peak PID: its largest resident memory so far, KiB.
sub peak {
    my ($pid) = @_;
    open my $status, '<', "/proc/$pid/status" or return 0;
    while (<$status>) { return $1 if /^VmHWM:\s+(\d+)/ }
    return 0;
}

# children_peak: ru_maxrss of getrusage(RUSAGE_CHILDREN), where this machine's number of that call is known; 0 elsewhere.
sub children_peak {
    my %number = (x86_64 => 98, aarch64 => 165);
    my $number = $number{(POSIX::uname())[4]} or return 0;
    my $usage = "\0" x 256;
    return syscall($number, -1, $usage) == 0 ? (unpack 'q5', $usage)[4] : 0;
}
