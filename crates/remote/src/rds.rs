//! RDS instance that a connection leads to, by the name of its endpoint.

/// Ends of the names of endpoints, of AWS and of its regions in China
/// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Overview.Endpoints.html>).
const DOMAINS: [&str; 2] = [".rds.amazonaws.com", ".rds.amazonaws.com.cn"];

/// DBInstanceIdentifier of an instance's endpoint, `mydb.c1a2b3d4e5f6.eu-west-1.rds.amazonaws.com`; `None` of other names: those of clusters
/// and of proxies may lead to any instance.
pub fn instance_of_endpoint(host: &str) -> Option<String> {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let name = DOMAINS.iter().find_map(|domain| host.strip_suffix(domain))?;
    let [instance, account, _region] = name.split('.').collect::<Vec<_>>()[..] else { return None };
    let is_instance = !account.is_empty() && account.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_instance && !instance.is_empty()).then(|| instance.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_of_instances_name_them() {
        let named = |host| instance_of_endpoint(host);
        let mydb = Some("mydb-1".to_owned());
        assert_eq!(named("mydb-1.c1a2b3d4e5f6.eu-west-1.rds.amazonaws.com"), mydb);
        assert_eq!(named("MyDB-1.c1a2b3d4e5f6.cn-north-1.rds.amazonaws.com.cn."), mydb);
        for other in [
            "mydb.cluster-c1a2b3d4e5f6.eu-west-1.rds.amazonaws.com",
            "mydb.cluster-ro-c1a2b3d4e5f6.eu-west-1.rds.amazonaws.com",
            "mydb.proxy-c1a2b3d4e5f6.eu-west-1.rds.amazonaws.com",
            "db.example.com",
            "/var/run/postgresql",
            "rds.amazonaws.com",
            ".c1a2b3d4e5f6.eu-west-1.rds.amazonaws.com",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
