// Set-up of the test project `node 24` in vitest.config.ts: fails where Vitest no longer starts its workers with that Node.js.
if (!process.version.startsWith('v24.')) throw new Error(`These tests run on Node.js ${process.version}, not on 24`)
