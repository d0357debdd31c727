import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process wrote to the files of a folder. */
export interface CountedWrites {
  writes: number
  bytes: number
  fsyncs: number
  /** By the name of the file. */
  byFile: Record<string, { bytes: number; fsyncs: number }>
}

const CALL = /\b(write|pwrite64|writev|pwritev|fsync|fdatasync)\(\d+<([^>]*)>.*\)\s+= (\d+)/

/** Counts what a process writes to files below `folder` during `work`, with strace: the counts are those of the kernel. */
export async function countWrites(
  { pid, folder, output }: { pid: number; folder: string; output: string },
  work: () => Promise<unknown>,
): Promise<CountedWrites> {
  const log = join(output, `strace-${pid}-${crypto.randomUUID()}`)
  const calls = 'trace=write,pwrite64,writev,pwritev,fsync,fdatasync'
  const strace = spawn('strace', ['-f', '-q', '-y', '-e', calls, '-s', '0', '-o', log, '-p', String(pid)], {
    stdio: 'ignore',
  })
  await once(strace, 'spawn')
  await sleep(1_000)
  await work()
  strace.kill('SIGINT')
  await once(strace, 'exit')
  return readCounts(readFileSync(log, 'utf8'), folder)
}

function readCounts(log: string, folder: string): CountedWrites {
  const counted: CountedWrites = { writes: 0, bytes: 0, fsyncs: 0, byFile: {} }
  for (const line of log.split('\n')) {
    const [, call = '', path = '', result = '0'] = CALL.exec(line) ?? []
    if (!path.startsWith(`${folder}/`)) continue
    counted.byFile[path.slice(folder.length + 1)] ??= { bytes: 0, fsyncs: 0 }
    const file = counted.byFile[path.slice(folder.length + 1)]
    if (call.endsWith('sync')) {
      counted.fsyncs += 1
      if (file) file.fsyncs += 1
    } else {
      counted.writes += 1
      counted.bytes += Number(result)
      if (file) file.bytes += Number(result)
    }
  }
  return counted
}
