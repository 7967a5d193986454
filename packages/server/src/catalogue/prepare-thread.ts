// Runs in its own thread, for one package. See prepare-in-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { type PackageTask, preparePackage } from './prepare-package.js'

parentPort?.postMessage(await preparePackage(workerData as PackageTask))
