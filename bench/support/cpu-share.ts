import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PERIOD_US = 100_000

/**
 * Limits a process to a share of one core with a control group, as if it had a small machine of its own. Returns how to
 * remove the group after the process has ended; `undefined` where this user may not do that.
 */
export function limitCpu(pid: number, share: number): (() => void) | undefined {
  const quota = Math.round(PERIOD_US * share)
  const [first, second] = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup']
  try {
    const isFirstVersion = existsSync(join(first, 'cpu.cfs_quota_us'))
    const group = join(isFirstVersion ? first : second, `plantroom-bench-${pid}`)
    mkdirSync(group)
    if (isFirstVersion) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
    } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`)
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
    return () => rmdirSync(group)
  } catch {
    return undefined
  }
}
