import type { Flow, FlowNode } from './flow-content.ts'

/** The height of an end and the room between two, in pixels. The style sheet has the same. */
export const ROW = 46
const GAP = 6
const [THINNEST, THICKEST] = [2, 14]
/** Less is measuring noise. */
const STILL_KW = 0.05

/** A line between an end and the bar in the middle. */
export interface FlowLine {
  key: string
  side: 'left' | 'right'
  y: number
  width: number
  /** Where the power goes; `none` when it stands still or is unknown. */
  direction: 'right' | 'left' | 'none'
  isKnown: boolean
  isOld: boolean
}

/** Arranges the lines: as thick as their share of the largest power. Pure. */
export function flowLines({ sources, loads }: Flow): { height: number; lines: FlowLine[] } {
  const rows = Math.max(sources.length, loads.length)
  const most = Math.max(STILL_KW, ...[...sources, ...loads].map(({ kw = 0 }) => Math.abs(kw)))
  const place = (side: FlowLine['side'], nodes: readonly FlowNode[]) =>
    nodes.map((node, at): FlowLine => {
      const { key, kw, isOld } = node
      const share = Math.abs(kw ?? 0) / most
      return {
        key,
        side,
        y: ((rows - nodes.length) * (ROW + GAP)) / 2 + at * (ROW + GAP) + ROW / 2,
        width: Math.round(THINNEST + share * (THICKEST - THINNEST)),
        direction: directionOf(node),
        isKnown: kw !== undefined,
        isOld,
      }
    })
  return { height: rows * (ROW + GAP) - GAP, lines: [...place('left', sources), ...place('right', loads)] }
}

/** The storage is on the left: it is charged from the bar. */
export function directionOf({ part, kw }: Pick<FlowNode, 'part' | 'kw'>): FlowLine['direction'] {
  if (kw === undefined || Math.abs(kw) < STILL_KW) return 'none'
  return kw > 0 === (part !== 'storage') ? 'right' : 'left'
}
