"""The second front: people play by answering mails. Nothing of the rules, nothing of Discord."""
