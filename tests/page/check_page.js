// Opens pages in Chromium and prints what is wrong with them as JSON: violations of the rules of
// axe-core, and widths that make a phone scroll sideways.
//
// usage: node check_page.js MODULES CHROMIUM PAGE…
'use strict';

const fs = require('fs');
const path = require('path');
const url = require('url');

const [modules, browserPath, ...pages] = process.argv.slice(2);
const { chromium } = require(path.join(modules, 'playwright-core'));
const axe = fs.readFileSync(path.join(modules, 'axe-core', 'axe.min.js'), 'utf8');

// As a reader sees the page: on a desk, in the dark, where only colours differ, and on a narrow phone.
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const VIEWS = [
  { name: 'light', width: 1200, height: 900, colorScheme: 'light', rules: ALL_RULES },
  { name: 'dark', width: 1200, height: 900, colorScheme: 'dark', rules: ['cat.color'] },
  { name: 'phone', width: 360, height: 740, colorScheme: 'light', rules: ALL_RULES },
];
// Nothing is fetched and nothing is kept: the page is one file.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

async function problemsOf(page, view) {
  const problems = [];
  const widths = await page.evaluate(() => [document.scrollingElement.scrollWidth, window.innerWidth]);
  if (widths[0] > widths[1]) problems.push(`${view.name}: the page is ${widths[0]} wide, the window ${widths[1]}`);
  await page.evaluate(axe);
  const result = await page.evaluate((rules) => window.axe.run(document, {
    resultTypes: ['violations'], runOnly: rules,
  }), view.rules);
  for (const violation of result.violations) {
    for (const node of violation.nodes.slice(0, 3)) {
      problems.push(`${view.name}: ${violation.id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`);
    }
  }
  return problems;
}

async function main() {
  const browser = await chromium.launch({ executablePath: browserPath, args: ARGUMENTS });
  const found = {};
  for (const file of pages) {
    found[file] = [];
    for (const view of VIEWS) {
      const context = await browser.newContext({
        viewport: { width: view.width, height: view.height }, colorScheme: view.colorScheme, offline: true,
      });
      const page = await context.newPage();
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) found[file].push(`${view.name}: asked for ${request.url()}`);
      });
      await page.goto(url.pathToFileURL(file).href);
      // What is folded is checked too.
      await page.evaluate(() => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
      found[file].push(...await problemsOf(page, view));
      await context.close();
    }
  }
  await browser.close();
  process.stdout.write(JSON.stringify(found, null, 1));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
