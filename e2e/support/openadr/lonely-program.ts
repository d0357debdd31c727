import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { startRelay } from '../relay.ts'

/**
 * Runs a program that listens on every address of its machine, in a network of its own that has none but 127.0.0.1. `unshare`
 * starts this. What connects to the file of the socket reaches the port of the program. Both end when the input ends.
 */
const [socketFile = '', port = '', program = ''] = process.argv.slice(2)
spawnSync('ip', ['link', 'set', 'lo', 'up'])
const child = spawn(program, { stdio: ['ignore', 'inherit', 'inherit'] })
child.once('exit', (code) => process.exit(code ?? 1))
process.stdin.on('end', () => child.kill('SIGKILL')).resume()
await startRelay({ path: socketFile }, () => connect(Number(port), '127.0.0.1'))
