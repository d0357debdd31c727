import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { common } from '../texts/common.ts'

/** Replaces a page that fails to render or load, which would otherwise be blank. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Center component="main" mih="60vh" p="md">
        <Stack align="center" ta="center" role="alert">
          <Title order={1} size="h2">
            {common.broken}
          </Title>
          <Text>{common.brokenHint}</Text>
          <Button onClick={() => location.reload()}>{common.loadAgain}</Button>
        </Stack>
      </Center>
    )
  }
}
