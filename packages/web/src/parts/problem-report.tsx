import { Alert, Button, Code, Group, ScrollArea, Stack, Text } from '@mantine/core'
import type { ProblemReport } from '@plantroom/contract/api'
import { VERSION } from '@plantroom/contract/version'
import { useQuery } from '@tanstack/react-query'
import { problemReport as texts } from '../texts/problem-report.ts'
import { Modal } from './dialogs.tsx'
import { QueryView } from './notices.tsx'
import { type BrowserFacts, problemReportText } from './problem-report-text.ts'
import { saveAs } from './save-as.ts'
import { CopyButton } from './shown-once.tsx'

/** Collects a problem report, shows it, and lets the person copy or download it. */
export function ProblemReportDialog({ load, onClose }: { load: () => Promise<ProblemReport>; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['problem-report'],
    // What is shown is what is saved.
    queryFn: async () => ({ report: await load(), facts: browserFacts() }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  })
  return (
    <Modal opened onClose={onClose} title={texts.title} size="xl">
      <QueryView query={query}>{({ report, facts }) => <Shown report={report} facts={facts} />}</QueryView>
    </Modal>
  )
}

function Shown({ report, facts }: { report: ProblemReport; facts: BrowserFacts }) {
  const text = problemReportText(report, facts)
  const name = `plantroom-problem-${report.at.slice(0, 19).replaceAll(':', '')}`
  return (
    <Stack>
      <Text size="sm">{texts.intro}</Text>
      {report.log !== null && (
        <Alert color="blue" variant="light" p="xs">
          {texts.withLog}
        </Alert>
      )}
      <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, 'aria-label': texts.text, role: 'region' }}>
        <Code block style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Code>
      </ScrollArea.Autosize>
      <Group justify="flex-end" gap="xs">
        <CopyButton text={text} label={texts.copy} />
        <Button variant="default" onClick={() => saveAs(`${name}.txt`, `${text}\n`)}>
          {texts.downloadText}
        </Button>
        <Button
          variant="default"
          onClick={() => saveAs(`${name}.json`, `${JSON.stringify({ ...report, browser: facts }, null, 2)}\n`)}
        >
          {texts.downloadJson}
        </Button>
      </Group>
    </Stack>
  )
}

function browserFacts(): BrowserFacts {
  return {
    consoleVersion: VERSION,
    page: location.pathname,
    browser: navigator.userAgent,
    language: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    window: `${innerWidth} × ${innerHeight}`,
  }
}
