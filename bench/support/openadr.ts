import type { ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type Client, createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import type pg from 'pg'
import type { BenchEquipment } from '../dispatch-equipment.ts'
import type { BenchVtn, VtnQuestion } from '../openadr-vtn.ts'
import type { Demo } from './demo.ts'
import { ask, cpuMs } from './processes.ts'

const LOOK_MS = 20
const PATIENCE_MS = 600_000

/** A demo whose worker follows programs at a VTN. */
export interface OpenadrBench {
  readonly demo: Demo
  readonly equipment: BenchEquipment
  readonly vtn: BenchVtn
  readonly db: pg.Client
  readonly admin: Client
  operate(question: VtnQuestion): Promise<{ at: number }>
  /** Follows a program of the VTN in an organization. Returns its id. */
  follow(orgId: string, program: keyof BenchVtn['programs'], about?: FollowAbout): Promise<string>
  /** CPU of the worker and the database so far, in ms. */
  cpu(): Promise<number>
  until(what: string, holds: () => Promise<boolean> | boolean): Promise<void>
}

interface FollowAbout {
  readonly name?: string
  readonly pollSeconds?: number
  readonly datapointId?: string
}

export async function openBench(
  demo: Demo,
  equipment: BenchEquipment,
  { child, ready: vtn }: { child: ChildProcess; ready: BenchVtn },
  db: pg.Client,
): Promise<OpenadrBench> {
  const { rows } = await db.query<{ pid: string }>('SELECT pg_backend_pid()::text AS pid')
  const databasePid = parentOf(await numbersOf(rows[0]?.pid ?? ''))
  const admin = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  return {
    ...{ demo, equipment, vtn, db, admin },
    operate: (question) => ask(child, question),
    async follow(orgId, program, { name = program, pollSeconds = 60, datapointId } = {}) {
      const rules = datapointId === undefined ? [] : [{ payload: 'DISPATCH_SETPOINT', datapointId }]
      const { id } = await admin.addOpenadrProgram({
        orgId,
        body: {
          ...{ name, vtnUrl: vtn.baseUrl, version: '3.1', profile: 'alliance-3.1', pollSeconds },
          ...{ clientId: 'ven-client', clientSecret: 'ven-secret', venName: name, programNames: [program] },
          mapping: {
            resources: datapointId === undefined ? [] : [{ resourceName: 'load', rules }],
            ...{ onSilence: 'keep', silenceSeconds: 600 },
          },
        },
      })
      return id
    },
    cpu: async () => cpuMs(demo.pids.worker) + (await databaseCpu(databasePid)),
    async until(what, holds) {
      const giveUpAt = performance.now() + PATIENCE_MS
      while (!(await holds())) {
        if (performance.now() > giveUpAt) throw new Error(`${what} did not happen`)
        await setTimeout(LOOK_MS)
      }
    },
  }
}

/** Of the numbers of a process in /proc, without its name: fields from the third on, times in hundredths of a second. */
const numbersOf = async (pid: string) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
const parentOf = (numbers: readonly string[]) => numbers[1] ?? ''
const MS_OF_A_TICK = 10

/** The CPU of the database in ms: of its main process, of the children that have ended, and of the others. */
async function databaseCpu(main: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(pids.map(async (pid) => ({ pid, numbers: await numbersOf(pid) })))
  const ticks = all.flatMap(({ pid, numbers }) => {
    if (pid === main) return numbers.slice(11, 15)
    return parentOf(numbers) === main ? numbers.slice(11, 13) : []
  })
  return ticks.reduce((sum, count) => sum + Number(count), 0) * MS_OF_A_TICK
}
