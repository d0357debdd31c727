import { readFileSync } from 'node:fs'
import { checkPackage } from '@plantroom/fpl/check-package'

/** Runs the whole check in its own process. Arguments: the package, the number of threads. */
const [path = '', workers] = process.argv.slice(2)
const from = performance.now()
const { valid, message } = await checkPackage(path, { workers: Number(workers) })
const ms = performance.now() - from
if (!valid) throw new Error(`a benchmark package is invalid: ${message}`)
const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
process.stdout.write(JSON.stringify({ ms, peakMb: peakKb / 1024 }))
