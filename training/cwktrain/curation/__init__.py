"""From kept runs to a data set for supervised training: gates that runs pass, and the rows that they become."""
