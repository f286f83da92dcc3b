"""What pigeons and people did with eight disks on variable intervals: functions of peck tables (Racey et al. 2011)."""
