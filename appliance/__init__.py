"""The appliance: rules, arbitration, journal, records, screens and the command line."""
