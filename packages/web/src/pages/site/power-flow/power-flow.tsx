import { Paper, VisuallyHidden } from '@mantine/core'
import IconBattery2 from '@tabler/icons-react/dist/esm/icons/IconBattery2.mjs'
import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconPlug from '@tabler/icons-react/dist/esm/icons/IconPlug.mjs'
import IconSolarPanel from '@tabler/icons-react/dist/esm/icons/IconSolarPanel.mjs'
import type { CSSProperties } from 'react'
import { useSite } from '../../../api/use-site.ts'
import { rounded } from '../../../parts/chart/rounded.ts'
import { Figure } from '../../../parts/figure.tsx'
import { Link } from '../../../parts/link.tsx'
import { datapointHash } from '../../../parts/link-to-datapoint.ts'
import { shownValue } from '../../../parts/value.ts'
import { flow as texts } from '../../../texts/flow.ts'
import { format } from '../../../texts/format.ts'
import type { DeviceOverview } from '../overview.ts'
import { type FlowNode, flowOf } from './flow-content.ts'
import { directionOf, type FlowLine, flowLines, ROW } from './flow-lines.ts'
import classes from './power-flow.module.css'

const ICONS = { grid: IconBolt, generation: IconSolarPanel, storage: IconBattery2, load: IconPlug, rest: IconPlug }

/** The power flow of a site: what comes from where and goes where, now. */
export function PowerFlow({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  const flow = flowOf(devices, now)
  if (!flow) return null
  const { height, lines } = flowLines(flow)
  return (
    <Paper component="section" withBorder className={classes.flow} aria-labelledby="power-flow">
      <VisuallyHidden component="h2" id="power-flow">
        {texts.title}
      </VisuallyHidden>
      <Ends nodes={flow.sources} label={texts.sources} />
      {/* The ends say the same. */}
      <svg className={classes.lines} height={height} aria-hidden="true">
        <line x1="50%" x2="50%" y1={ROW / 4} y2={height - ROW / 4} className={classes.bar} />
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </svg>
      <Ends nodes={flow.loads} label={texts.loads} />
    </Paper>
  )
}

function Ends({ nodes, label }: { nodes: readonly FlowNode[]; label: string }) {
  return (
    <ul className={classes.ends} aria-label={label}>
      {nodes.map((node) => (
        <End key={node.key} node={node} />
      ))}
    </ul>
  )
}

function End({ node }: { node: FlowNode }) {
  const { path } = useSite()
  const { part, name, at, kw, isOld, ageMs, limitKw } = node
  const Icon = ICONS[part]
  const isAbove = kw !== undefined && limitKw !== undefined && kw > limitKw
  const label = part === 'load' && name !== undefined ? name : texts.parts[part]
  return (
    <li className={classes.end}>
      <div className={classes.name}>
        <Icon size={16} stroke={1.75} aria-hidden />
        {at ? (
          <Link to={path(`/devices/${at.deviceId}${datapointHash(at.datapointId)}`)} inherit>
            {label}
          </Link>
        ) : (
          label
        )}
        {limitKw !== undefined && (
          <span className={classes.limit} data-above={isAbove || undefined}>
            {format(isAbove ? texts.above : texts.limit, { limit: shownValue(limitKw, 'kW') })}
          </span>
        )}
      </div>
      <div className={classes.power}>
        <Figure value={rounded(kw === undefined ? null : Math.abs(kw))} unit="kW" isOld={isOld} ageMs={ageMs} />
        <span className={classes.does}>{describeFlow(node)}</span>
      </div>
      {limitKw !== undefined && <Gauge kw={kw} limitKw={limitKw} />}
    </li>
  )
}

/** Returns which way the power of a part flows, where its number alone does not say it. */
function describeFlow(node: FlowNode): string {
  const { part, kw } = node
  if (kw === undefined) return texts.unknown
  if (directionOf(node) === 'none') return texts.still
  return kw > 0 ? texts.forth[part] : texts.back[part]
}

/** The power beside its limit, which is a mark at four fifths of the width. */
function Gauge({ kw, limitKw }: { kw: number | undefined; limitKw: number }) {
  const share = kw === undefined || limitKw <= 0 ? 0 : Math.min(1, Math.max(0, (0.8 * kw) / limitKw))
  return <span className={classes.gauge} style={{ '--share': `${share * 100}%` } as CSSProperties} aria-hidden="true" />
}

function Line({ line: { side, y, width, direction, isKnown, isOld } }: { line: FlowLine }) {
  const [from, middle, to] = side === 'left' ? ['0%', '25%', '50%'] : ['50%', '75%', '100%']
  const size = Math.max(7, width * 0.9)
  const tip = direction === 'right' ? size : -size
  return (
    <g className={classes.line} data-old={isOld || !isKnown || undefined}>
      <line x1={from} x2={to} y1={y} y2={y} strokeWidth={width} />
      {direction !== 'none' && (
        <svg x={middle} y={y} overflow="visible" aria-hidden="true">
          <path d={`M${tip} 0L${-tip / 2} ${-size}L${-tip / 2} ${size}Z`} />
        </svg>
      )}
    </g>
  )
}
