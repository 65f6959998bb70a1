"""Backup, replication, health checks, initialisation."""
