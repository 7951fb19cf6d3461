"""Many deals: surveys on one machine or a cluster, their result files, and the reports made of them."""
