-- comments of all objects, changed or not, as scripts/extension-scripts takes them from extension/sql/: repeated they change nothing

