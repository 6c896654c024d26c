"""Pictures of views: view -> scene -> pixels."""
