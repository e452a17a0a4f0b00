-- demand from elsewhere

{{ebs_import_samples}}

{{demand_functions}}

{{ebs_import_awr}}
