// Preloaded into what a bench starts, so that it ends with the bench however that ends: its standard input is the bench's.
process.stdin.resume().once("end", () => process.kill(process.pid, "SIGTERM"));
