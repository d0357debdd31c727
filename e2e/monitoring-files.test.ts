import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALERT_KINDS } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<'summary' | 'action' | 'runbook', string>
}

interface Panel {
  id: number
  type: string
  title: string
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>
  targets?: { refId: string; expr: string }[]
}

const rules = (parse(read('deploy/prometheus/plantroom.rules.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const dashboard = JSON.parse(read('deploy/grafana/plantroom.json')) as {
  panels: Panel[]
  templating: { list: object[] }
}

/** Series that every process of prom-client and every scrape has. */
const OF_OTHERS = [
  'up',
  'process_start_time_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
  'nodejs_eventloop_lag_p99_seconds',
]
const SERIES = /\b(?:plantroom|process|nodejs)_[a-z0-9_]+|\bup\b/g
const HISTOGRAM = /_(?:bucket|sum|count)$/

/** The names in queries, without labels, where a route or a job may look like one. */
const namesIn = (queries: readonly string[]) =>
  new Set(
    queries
      .flatMap((query) => query.replaceAll(/\{[^}]*\}/g, '').match(SERIES) ?? [])
      .map((n) => n.replace(HISTOGRAM, '')),
  )

const inSource = new Set([
  ...(read('packages/cloud/src/platform/http/operation-routes.ts').match(/(?<=')plantroom_[a-z_]+(?=')/g) ?? []),
  ...[...read('packages/edge/src/metrics/text.ts').matchAll(/(?:gauge|counter)\('([a-z_]+)'/g)].map(
    ([, name]) => `plantroom_edge_${name}`,
  ),
])
const inReference = new Set(
  [...read('docs/reference/metrics.md').matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) =>
      name.startsWith('plantroom_') ? name : `plantroom_edge_${name}`,
    ),
  ),
)
const known = new Set([...inSource, ...OF_OTHERS])

test('every series of the programs is in the reference, and no other', () => {
  expect(inSource.size).toBeGreaterThan(20)
  expect([...inReference].sort()).toEqual([...inSource].sort())
})

describe('the alerts for Prometheus', () => {
  test('use series that exist', () => {
    expect(rules.length).toBeGreaterThan(30)
    expect([...namesIn(rules.map(({ expr }) => expr))].filter((name) => !known.has(name))).toEqual([])
  })

  test('each say what happened, what to do and where to read on', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, labels, annotations } of rules) {
      expect(['info', 'warning', 'critical'], alert).toContain(labels.severity)
      for (const text of [annotations.summary, annotations.action]) expect(text, alert).toMatch(/^.{15,}[.]$/)
      const [file = '', anchor] = annotations.runbook.split('#')
      expect(existsSync(join(ROOT, file)), `${alert}: ${file}`).toBe(true)
      const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      )
      if (anchor !== undefined) expect(headings, `${alert}: ${annotations.runbook}`).toContain(anchor)
    }
  })

  test('cover every kind of alert of the cloud', () => {
    const all = rules.map(({ expr }) => expr).join('\n')
    expect(ALERT_KINDS.filter((kind) => !all.includes(`kind="${kind}"`))).toEqual([])
  })

  test('all have a test', () => {
    const tests = read('deploy/prometheus/plantroom.rules.test.yaml')
    const kinds = (expr: string) => ALERT_KINDS.some((kind) => expr.includes(kind))
    expect(rules.filter(({ alert, expr }) => !tests.includes(alert) && !kinds(expr)).map(({ alert }) => alert)).toEqual(
      [],
    )
  })
})

describe('the dashboard for Grafana', () => {
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  test('uses series that exist, and every series of the programs', () => {
    const used = namesIn(queries)
    expect([...used].filter((name) => !known.has(name))).toEqual([])
    const left = [...inSource].filter((name) => !used.has(name))
    expect(left).toEqual(['plantroom_devices_without_broker_account'])
  })

  test('has panels with unique ids and queries, which do not overlap', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Set<string>()
    for (const { type, title, gridPos, targets = [] } of panels) {
      expect(title).not.toBe('')
      if (type !== 'row') expect(targets.length, title).toBeGreaterThan(0)
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`), title).toBe(false)
          taken.add(`${x} ${y}`)
        }
      }
    }
  })
})
