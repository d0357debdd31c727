import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALERT_KINDS } from '@plantroom/contract/alerts'
import { canConnect, freePorts } from '@plantroom/testkit/free-port'
import { repeat } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { type Stack, startStack } from './support/stack.ts'

const DEPLOY = join(ROOT, 'deploy/prometheus')
const isMissing = spawnSync('promtool', ['--version']).error !== undefined

function promtool(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: DEPLOY, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

const expressionsOfDashboard = () => {
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/plantroom.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$edge', '.*')))
}

describe.skipIf(isMissing)('promtool', () => {
  test('accepts the alerts, their tests and the example', { timeout: 300_000 }, () => {
    expect(promtool('check', 'rules', 'plantroom.rules.yaml')).toMatchObject({ status: 0 })
    expect(promtool('check', 'config', 'prometheus.yml')).toMatchObject({ status: 0 })
    const tested = promtool('test', 'rules', 'plantroom.rules.test.yaml')
    expect([tested.status, tested.text]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})

interface Answer<Result> {
  status: string
  data: { result: Result[] }
}

describe.skipIf(isMissing)('a real Prometheus', () => {
  let stack: Stack
  let folder: OwnFolder
  let port: number
  let stop = async () => {}

  beforeAll(async () => {
    stack = await startStack({ edge: async () => ({ PLANTROOM_METRICS_PORT: '0' }) })
    folder = ownFolder()
    port = (await freePorts(1))[0] ?? 0
    const { metrics } = stack.edge.ready as unknown as { metrics: { port: number } }
    copyFileSync(join(DEPLOY, 'plantroom.rules.yaml'), join(folder.path, 'plantroom.rules.yaml'))
    const shipped = readFileSync(join(DEPLOY, 'prometheus.yml'), 'utf8')
    const own = shipped
      .replace('127.0.0.1:8080', `127.0.0.1:${stack.cloud.ready.port}`)
      .replace('127.0.0.1:9464', `127.0.0.1:${metrics.port}`)
      .replaceAll(/_interval: \d+s/g, '_interval: 1s')
    writeFileSync(join(folder.path, 'prometheus.yml'), own)
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(folder.path, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder.path, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    )
    const gone = once(child, 'exit')
    stop = async () => {
      child.kill('SIGKILL')
      await gone
    }
    await eventually(() => canConnect(port))
  }, 180_000)
  afterAll(async () => {
    await stop()
    await stack?.[Symbol.asyncDispose]()
    await folder?.[Symbol.asyncDispose]()
  })

  async function query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`
    const answer = (await (await fetch(url)).json()) as Answer<{
      metric: Record<string, string>
      value: [number, string]
    }>
    expect(answer.status, expression).toBe('success')
    return answer.data.result
  }
  const figure = async (expression: string) => Number((await query(expression))[0]?.value[1])

  test('scrapes a cloud and a controller, and understands every query', { timeout: 300_000 }, async () => {
    await repeat(1, async () => {
      await eventually(async () => expect(await figure('sum(up)')).toBe(2))
      await eventually(async () => expect(await figure('max(plantroom_devices_online)')).toBe(1))
      expect(await figure('max(plantroom_devices)')).toBe(1)
      const counted = (await query('plantroom_alerts_open')).map(({ metric }) => metric.kind)
      expect(counted.toSorted()).toEqual(ALERT_KINDS.toSorted())
      expect(await figure('plantroom_job_wait_seconds')).toBe(0)
      expect(await figure('plantroom_disk_free_bytes / plantroom_disk_size_bytes')).toBeGreaterThan(0)
      expect(await figure('min(plantroom_edge_connection_status)')).toBe(1)
      const { groups } = parse(readFileSync(join(DEPLOY, 'plantroom.rules.yaml'), 'utf8')) as {
        groups: { rules: { expr: string }[] }[]
      }
      const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
      for (const expression of [...alerts, ...expressionsOfDashboard()]) await query(expression)
      expect(await query('ALERTS{alertstate="firing"}')).toEqual([])
    })
  })

  test('has nothing to say about the names of the metrics', async () => {
    const { metrics } = stack.edge.ready as unknown as { metrics: { port: number } }
    for (const port of [stack.cloud.ready.port, metrics.port]) {
      const input = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    }
  })

  test('fires when a process is gone, with the words of the rule', { timeout: 300_000 }, async () => {
    const edge = stack.edge
    await edge.kill()
    const pending = 'ALERTS{alertname="PlantroomEdgeDown"}'
    await eventually(async () => expect(await query(pending)).toHaveLength(1))
    await edge.start({
      PLANTROOM_METRICS_PORT: String((edge.ready as unknown as { metrics: { port: number } }).metrics.port),
    })
    await eventually(async () => expect(await query(pending)).toHaveLength(0))
  })
})
