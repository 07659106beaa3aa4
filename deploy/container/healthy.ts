// The health check of a container: whether the process in it serves.
const answer = await fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/readyz`).catch(() => undefined);
process.exitCode = answer?.ok ? 0 : 1;
