//! The lines that were edited since a branch or a pull request left its base, in a failure for which
//! no base is built.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use crate::bench::explained::{GATE, LIBRARY};
use crate::git::explained_bases::planted;
use crate::program::{EXPLAINS, Ran};

#[test]
fn a_failure_shows_the_line_that_was_edited() {
    let project = planted("touched", GATE);
    let edited = "  --> src/lib.rs:15:21
   |
15 |     let text = text.to_uppercase();
   |                     ^^^^^^^^^^^^ added since main ([..]): 1 allocation, 5 bytes
   |
   = called by: encode, src/lib.rs:6:17

   allocs  bytes  change  line              call
        1      5  added   src/lib.rs:15:21  to_uppercase in little_endian
        1     11          src/lib.rs:7:21   Vec::with_capacity in encode
        1     10          src/lib.rs:14:21  Vec::with_capacity in little_endian
        3     26          sum
";
    let shows = |ran: &Ran, expected: &str| {
        let text = ran.stdout_text();
        let found = text.split_once("per iteration\n");
        let (_, excerpt) = found.unwrap_or_else(|| panic!("no excerpt in {text}"));
        let excerpt = excerpt.split("\nhelp: if this").next().unwrap();
        let excerpt = &format!("{}\n", excerpt.trim_end());
        ran.same(excerpt, expected.to_owned());
    };
    shows(&project.run_explained("check", 1), edited);
    shows(&project.run_explained("explain", 0), edited);
    // The same in a commit on a branch, which has a commit of main behind it.
    project.git(&["checkout", "--quiet", "-b", "feature"]);
    project.commit("Plant");
    shows(&project.run_explained("check", 1), edited);
    let request =
        |base: &str| project.run_with(&[(EXPLAINS, "1"), ("CHANGE_TARGET", base)], "check", 1);
    shows(&request("main"), edited);
    // A request for the branch itself edits nothing, and what one for a branch that is not there
    // edits is not known.
    for branch in ["feature", "gone"] {
        let text = request(branch).stdout_text();
        assert!(!text.contains(" since "), "{text}");
    }
    request("gone").stderr_has(
        "Note which lines the pull request edits is not known: this clone has no history up to \
         `gone`; fetch it, in GitHub Actions with `fetch-depth: 2`\n",
    );
    // An edit that no call stack goes through.
    project.write("src/lib.rs", LIBRARY);
    let manifest = project.read("Cargo.toml").replace("1.2.3", "1.2.4");
    project.write("Cargo.toml", &manifest);
    let main = project.git(&["rev-parse", "main"]);
    project.run_explained("check", 1).stdout_has(&format!(
        " ------------------ 1 allocation, 10 bytes
   |
   = called by: encode, src/lib.rs:5:17
   = note: the edits since main ({}) are not on the way to these allocations: Cargo.lock \
         (touched 1.2.3 -> 1.2.4) and Cargo.toml:3\n",
        &main[..10]
    ));
}
