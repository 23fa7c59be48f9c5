//! The page of `--report html` in a real browser, headless. The pictures that it takes stay in
//! `target/tmp/browser`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::TMP;
use crate::project::{BOXES, Project};

/// A text that names the document, if a browser takes it for markup or runs it.
const HOSTILE: &str = "</code></pre><script>document.title='owned'</script>\
                       <img src=x onerror=document.title='owned'>";

/// A page that writes to the console and asks for a file.
const LOUD: &str = "<script>console.error('loud')</script><img src=\"http://127.0.0.1:9/a.png\">";

/// Sorts all values by allocations and says the order, and whether the page is wider than its
/// window.
const ACTIONS: &str = "<script>
const table = [...document.querySelectorAll('table')].at(-2);
const names = () => [...table.tBodies[0].rows].map(row => row.cells[0].textContent).join('|');
const button = table.tHead.rows[0].cells[1].querySelector('button');
button.click();
const up = names();
button.click();
const filter = table.parentNode.previousElementSibling;
filter.value = 'BOX/1';
filter.oninput();
const left = [...table.tBodies[0].rows].filter(row => !row.hidden).length;
const wide = document.documentElement.scrollWidth > innerWidth;
document.body.textContent = `up: ${up}; down: ${names()}; left: ${left}; wide: ${wide}`;
</script>";

/// Chromium, or Chrome where the system has it instead.
struct Browser {
    program: &'static str,
    folder: PathBuf,
}

/// What a page became.
struct Shown {
    dom: String,
    /// What it wrote to the console.
    console: Vec<String>,
    requests: Vec<String>,
}

impl Browser {
    fn find() -> Self {
        let answers = |program: &&str| {
            let mut command = Command::new(program);
            let command = command.arg("--version").stdout(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let mut programs = ["chromium", "google-chrome"].into_iter();
        let folder = Path::new(TMP).join("browser");
        fs::create_dir_all(&folder).expect("the folder can be created");
        Self {
            program: programs.find(answers).expect("the step looks for one"),
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Opens a file, and returns what was printed to stdout and to stderr.
    fn open<A: AsRef<OsStr>>(&self, page: &Path, args: &[A]) -> (String, String) {
        let output = Command::new(self.program)
            .args([
                "--headless=new",
                // Root has no sandbox.
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--hide-scrollbars",
                "--disable-background-networking",
                "--disable-component-update",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--enable-logging=stderr",
            ])
            .arg(format!(
                "--user-data-dir={}",
                self.path("profile").display()
            ))
            .args(args)
            .arg(format!("file://{}", page.display()))
            .output()
            .expect("the browser starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{stderr}");
        (stdout, stderr)
    }

    fn show(&self, name: &str, page: &str) -> Shown {
        let (path, log) = (self.path(name), self.path("net-log.json"));
        fs::write(&path, page).expect("the page can be written");
        let log_option = format!("--log-net-log={}", log.display());
        let (dom, stderr) = self.open(&path, &["--dump-dom", "--window-size=360,800", &log_option]);
        let log = fs::read_to_string(log).expect("the browser wrote it");
        let lines = |text: &str, is_one: &dyn Fn(&str) -> bool| -> Vec<String> {
            let lines = text.lines().filter(|line| is_one(line));
            lines.map(str::to_owned).collect()
        };
        // The browser's own requests come from no page.
        let of_page = |line: &str| {
            line.contains("\"initiator\":") && !line.contains("\"initiator\":\"not an origin\"")
        };
        Shown {
            dom,
            console: lines(&stderr, &|line| line.contains(":CONSOLE")),
            requests: lines(&log, &of_page),
        }
    }

    /// Takes pictures of a page, wide and narrow, in light and in dark.
    fn pictures(&self, page: &Path) {
        for (name, size, scheme) in [
            ("wide-dark", "1200,1600", 0),
            ("narrow-light", "360,2400", 1),
        ] {
            let file = self.path(&format!("{name}.png"));
            let args = [
                format!("--screenshot={}", file.display()),
                format!("--window-size={size}"),
                format!("--blink-settings=preferredColorScheme={scheme}"),
            ];
            self.open(page, &args);
            assert!(fs::metadata(&file).is_ok_and(|file| file.len() > 10_000));
        }
    }
}

/// The page of a check in which a scenario with a hostile name fails; and its path.
fn failed() -> (String, PathBuf) {
    let hostile = serde_json::to_string(&format!("encode/{HOSTILE}")).expect("it is a text");
    let mut results = format!("{hostile}: 100 x allocs=99\n");
    for number in 1..=12 {
        let allocs = 7 * number % 13;
        results.push_str(&format!("box/{number}: 100 x allocs={allocs}\n"));
    }
    let project = Project::recorded("browser", &results, &BOXES.replace("<= 1", "<= 20"));
    project.judge("check --report html=page.html", 1);
    (project.read("page.html"), project.path("page.html"))
}

#[test]
#[ignore = "the step `browser` has Chromium"]
fn a_page_is_whole_in_a_browser_and_runs_no_script_but_its_own() {
    let browser = Browser::find();
    let loud = browser.show("loud.html", LOUD);
    assert_eq!((loud.console.len(), loud.requests.len()), (1, 1));

    let (page, path) = failed();
    let shown = browser.show("page.html", &page);
    assert_eq!(shown.console, [""; 0]);
    assert_eq!(shown.requests, [""; 0]);
    for part in [
        "<title>alloc-gate: ✗ 1 of 13 scenarios and 1 of 1 gate failed</title>",
        "encode/&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;",
        // Its script ran.
        "<button>allocs</button>",
    ] {
        assert!(shown.dom.contains(part), "no {part} in {}", shown.dom);
    }
    assert!(!shown.dom.contains("<img"));
    browser.pictures(&path);

    // Without its policy, too.
    let (before, rest) = page
        .split_once("<meta http-equiv")
        .expect("it has a policy");
    let (_, after) = rest.split_once('\n').expect("it is one line");
    let open = format!("{before}{after}");
    let shown = browser.show("open.html", &open);
    assert!(shown.dom.contains("<title>alloc-gate: ✗ 1 of"));
    assert_eq!((shown.console, shown.requests), (Vec::new(), Vec::new()));
    let shown = browser.show(
        "actions.html",
        &open.replace("</body>", &format!("{ACTIONS}</body>")),
    );
    let sorted = [2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11].map(|number| format!("box/{number}"));
    let up = sorted.join("|") + "|encode/";
    assert!(shown.dom.contains(&format!("up: {up}")), "{}", shown.dom);
    let down: Vec<&str> = sorted.iter().rev().map(String::as_str).collect();
    let down = format!("|{}; left: ", down.join("|"));
    assert!(shown.dom.contains(&down), "{}", shown.dom);
    assert!(shown.dom.contains("left: 4; wide: false"), "{}", shown.dom);
}
