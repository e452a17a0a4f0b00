//! CPU quota of a container: cpu.max of its cgroup (<https://docs.kernel.org/admin-guide/cgroup-v2.html>), or cpu.cfs_quota_us and
//! cpu.cfs_period_us where cgroups are version 1 (<https://docs.kernel.org/scheduler/sched-bwc.html>).

use ebs_samples::evidence::CpuCount;

use super::tree::Tree;

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
    let root = if is_unified { "fs/cgroup".to_owned() } else { format!("fs/cgroup/{controllers}") };
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
