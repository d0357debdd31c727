import { readFileSync } from 'node:fs'
import { checkPackage } from '@plantroom/fpl/check-package'

/** The whole check as a process of its own. Arguments: the package, and how many threads read it. */
const [path = '', workers] = process.argv.slice(2)
const from = performance.now()
const { valid, message } = await checkPackage(path, { workers: Number(workers) })
const ms = performance.now() - from
if (!valid) throw new Error(`a package of the benchmark is not valid: ${message}`)
const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
process.stdout.write(JSON.stringify({ ms, peakMb: peakKb / 1024 }))
