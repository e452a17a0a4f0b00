//! The firmware's tables, as the kernel shows them: whether this is EC2, and which instance type.

use super::Tree;

/// The EC2 instance type. `None` off EC2, and on Xen instances, whose firmware names the hypervisor and not the type.
pub fn instance_type(sysfs: &dyn Tree) -> Option<String> {
    let field = |name: &str| sysfs.read(&format!("devices/virtual/dmi/id/{name}"));
    let product = field("product_name").filter(|product| !product.is_empty())?;
    (field("sys_vendor")? == "Amazon EC2").then_some(product)
}
