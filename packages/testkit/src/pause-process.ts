/** Pauses the whole process, as a busy or suspended machine does. What arrives meanwhile waits in the sockets. */
export function pauseProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
