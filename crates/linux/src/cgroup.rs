//! CPU quota of a container: cpu.max of its cgroup (<https://docs.kernel.org/admin-guide/cgroup-v2.html>), or cpu.cfs_quota_us and
//! cpu.cfs_period_us where cgroups are version 1 (<https://docs.kernel.org/scheduler/sched-bwc.html>).

use ebs_samples::evidence::CpuCount;

use super::tree::Tree;

/// Directory of the hierarchies in sysfs.
const ROOT: &str = "fs/cgroup";

/// The least quota of a process's cgroup and of those above it, of each of which it may use no more; `None` where there is none.
/// `cgroups` is /proc/PID/cgroup. In a container the topmost cgroup that sysfs shows is its own, and it may be named as the host
/// names it: names below which sysfs shows nothing are passed over.
pub fn cpu_quota(cgroups: &str, sysfs: &dyn Tree) -> Option<CpuCount> {
    cgroups.lines().filter_map(|line| quota_in_hierarchy(line, sysfs)).min()
}

/// The least quota of the cgroups that a line of /proc/PID/cgroup names: `0::/path`, or `4:cpu,cpuacct:/path` of version 1.
fn quota_in_hierarchy(line: &str, sysfs: &dyn Tree) -> Option<CpuCount> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, path) = (fields.next()?, fields.next()?);
    let is_unified = controllers.is_empty();
    if !is_unified && controllers.split(',').all(|controller| controller != "cpu") {
        return None;
    }
    // Version 1 is mounted in a directory of its own order of names: CentOS 7 says `cpuacct,cpu` of `cpu,cpuacct`, with a symlink `cpu`.
    let directories = if is_unified { vec![""] } else { vec![controllers, "cpu", "cpu,cpuacct", "cpuacct,cpu"] };
    let root = |directory: &str| if is_unified { ROOT.to_owned() } else { format!("{ROOT}/{directory}") };
    directories.into_iter().filter_map(|directory| quota_below(root(directory), path, is_unified, sysfs)).min()
}

/// The least quota of a cgroup's directory in a hierarchy with this root, and of those above it.
fn quota_below(root: String, path: &str, is_unified: bool, sysfs: &dyn Tree) -> Option<CpuCount> {
    // A cgroup outside of what this process may see is named by the way to it, with `..`: only the topmost is looked at then.
    let names = path.split('/').filter(|name| !name.is_empty());
    let names = names.take_while(|name| *name != "..");
    let below = names.scan(root.clone(), |directory, name| {
        *directory = format!("{directory}/{name}");
        Some(directory.clone())
    });
    let quota = |directory: String| match is_unified {
        true => unified_quota(&directory, sysfs),
        false => legacy_quota(&directory, sysfs),
    };
    std::iter::once(root).chain(below).filter_map(quota).min()
}

/// `50000 100000`: quota and period, microseconds; `max 100000` is none.
fn unified_quota(directory: &str, sysfs: &dyn Tree) -> Option<CpuCount> {
    let text = sysfs.read(&format!("{directory}/cpu.max"))?;
    let (quota, period) = text.split_once(' ')?;
    CpuCount::from_quota(quota.parse().ok()?, period.trim().parse().ok()?)
}

/// The same in two files; -1 is no quota.
fn legacy_quota(directory: &str, sysfs: &dyn Tree) -> Option<CpuCount> {
    let figure = |file: &str| sysfs.read(&format!("{directory}/cpu.cfs_{file}_us"))?.parse().ok();
    CpuCount::from_quota(figure("quota")?, figure("period")?)
}
