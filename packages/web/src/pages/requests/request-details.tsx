import { Card, Stack, Text, Title } from '@mantine/core'
import type { ShownTicket } from '@plantroom/contract/api'
import type { ReactNode } from 'react'
import { useSite } from '../../api/use-site.ts'
import { useIsPrinting } from '../../parts/printing.ts'
import { fullTime } from '../../parts/time.ts'
import { findText, format } from '../../texts/format.ts'
import { request, requests, scopes, tones } from '../../texts/requests.ts'
import { languageName, priorityName } from './describe-request.ts'
import { RequestEditors } from './request-editors.tsx'
import { PersonView, TagList } from './request-parts.tsx'
import classes from './requests.module.css'

/** The details of a request; managers can change some of them here. */
export function RequestDetails({ ticket }: { ticket: ShownTicket }) {
  const { may } = useSite()
  const editable = may('manager')
  const isPrinting = useIsPrinting()
  return (
    <Card withBorder>
      <Stack>
        <Title order={2} size="h4">
          {request.details}
        </Title>
        {editable && !isPrinting && <RequestEditors ticket={ticket} />}
        {!editable && !isPrinting && <Text size="sm">{request.viewerHint}</Text>}
        <Facts ticket={ticket} editable={editable && !isPrinting} />
      </Stack>
    </Card>
  )
}

function Facts({ ticket, editable }: { ticket: ShownTicket; editable: boolean }) {
  const { site } = useSite()
  const time = (at: string) => fullTime(at, site.timeZone)
  const { safetyHazard, feedback, feedbackText, tone, scope, language } = ticket
  return (
    <dl className={classes.facts}>
      <Fact name={requests.reporter}>
        <PersonView person={ticket.reporter} />
      </Fact>
      {!editable && (
        <>
          <Fact name={requests.assignee}>
            {ticket.assignee ? <PersonView person={ticket.assignee} /> : request.nobody}
          </Fact>
          <Fact name={requests.priority}>
            {ticket.priority === null ? request.noPriority : priorityName(ticket.priority)}
          </Fact>
          <Fact name={requests.unit}>{ticket.unit ?? request.noUnit}</Fact>
          <Fact name={requests.tags}>
            {ticket.tags.length > 0 ? <TagList tags={ticket.tags} all /> : request.noTags}
          </Fact>
        </>
      )}
      {!editable && safetyHazard !== null && (
        <Fact name={requests.hazard}>{safetyHazard ? request.hazardYes : request.hazardNo}</Fact>
      )}
      {!editable && ticket.supervisor && (
        <Fact name={request.supervisor}>
          <PersonView person={ticket.supervisor} />
        </Fact>
      )}
      {!editable && ticket.watchers.length > 0 && (
        <Fact name={request.watchers}>
          <Stack gap={4}>
            {ticket.watchers.map((watcher, place) => (
              <PersonView key={watcher.email ?? place} person={watcher} />
            ))}
          </Stack>
        </Fact>
      )}
      {ticket.ccEmails.length > 0 && <Fact name={request.cc}>{ticket.ccEmails.join(', ')}</Fact>}
      {!editable && scope && <Fact name={request.scope}>{findText(scopes, scope) ?? scope}</Fact>}
      {language && <Fact name={request.language}>{languageName(language)}</Fact>}
      {tone && <Fact name={request.tone}>{findText(tones, tone) ?? tone}</Fact>}
      {(feedback !== null || feedbackText) && (
        <Fact name={request.feedback}>{describeFeedback(feedback, feedbackText)}</Fact>
      )}
      <Fact name={requests.created}>{time(ticket.createdAt)}</Fact>
      {ticket.updatedAt && <Fact name={requests.updated}>{time(ticket.updatedAt)}</Fact>}
      <Fact name={request.stateSince}>{time(ticket.stateChangedAt)}</Fact>
      {ticket.resolvedAt && <Fact name={request.resolvedAt}>{time(ticket.resolvedAt)}</Fact>}
      <Fact name={request.externalId}>{ticket.externalId}</Fact>
    </dl>
  )
}

function describeFeedback(score: number | null, text: string | null): string {
  if (score === null) return text ?? ''
  return text === null ? String(score) : format(request.feedbackWithText, { score: String(score), text })
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
