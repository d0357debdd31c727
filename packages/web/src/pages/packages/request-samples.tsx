import { Badge, Stack, Text } from '@mantine/core'
import type { RequestSample } from '@plantroom/contract/request-sample'
import { useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { joinFacts } from '../../parts/value.ts'
import { samples as texts } from '../../texts/convert.ts'
import { format, formatNumber } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { states } from '../../texts/requests.ts'
import classes from './packages.module.css'

/** Enough to see whether the mapping is right. The others are a click away, so that a phone need not scroll past them. */
const SHOWN = 5

/** The first requests of a package, as an import would add them. */
export function RequestSamples({ samples }: { samples: readonly RequestSample[] }) {
  const [shown, setShown] = useState(SHOWN)
  const more = samples.length - shown
  return (
    <Stack gap="sm" align="stretch">
      <SampleTable samples={samples.slice(0, shown)} />
      {more > 0 && (
        <SmallButton mx="auto" onClick={() => setShown(samples.length)}>
          {format(texts.more, { count: more })}
        </SmallButton>
      )}
    </Stack>
  )
}

function SampleTable({ samples }: { samples: readonly RequestSample[] }) {
  const { site } = useSite()
  return (
    <CardTable
      label={texts.label}
      rows={samples}
      keyOf={({ row }) => String(row)}
      columns={[
        {
          head: texts.request,
          cell: ({ title, description, exists }) => (
            <Stack gap={2} className={classes.sample}>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              {exists && (
                <Badge variant="light" color="gray">
                  {texts.exists}
                </Badge>
              )}
              {description && (
                <Text size="sm" className={classes.result} fw={400}>
                  {description}
                </Text>
              )}
            </Stack>
          ),
        },
        {
          head: requestFields.externalId,
          cell: ({ externalId }) => <span className={classes.long}>{externalId}</span>,
        },
        { head: requestFields.state, cell: ({ state }) => states[state] },
        { head: requestFields.unit, cell: ({ unit }) => unit },
        {
          head: requestFields.reporter,
          cell: ({ reporter }) => reporter && <span className={classes.long}>{reporter}</span>,
        },
        {
          head: requestFields.createdAt,
          time: true,
          cell: ({ createdAt }) => createdAt && shownTime(createdAt, site.timeZone),
        },
        { head: texts.parts, cell: partsOf },
        { head: texts.row, cell: ({ row }) => formatNumber(row) },
      ]}
    />
  )
}

/** A trial shows requests that nobody has checked yet. */
const shownTime = (text: string, timeZone: string) => (Number.isNaN(Date.parse(text)) ? text : fullTime(text, timeZone))

const partsOf = ({ comments, attachments }: RequestSample) =>
  joinFacts([
    comments > 0 && format(texts.comments, { count: comments }),
    attachments > 0 && format(texts.attachments, { count: attachments }),
  ]) || null
