// A drive as a page can show it: what happened on the site, and what each agent saw, planned and did.
#pragma once

#include <string>
#include <vector>

#include "elastane/worlds/contest/recording.h"
#include "elastane/worlds/navigation/errand.h"
#include "elastane/worlds/navigation/navigation_contest.h"

namespace elastane::navigation {

inline constexpr int kMostShown = 8;  // agents side by side

// who is shown where nobody is asked for
std::vector<std::string> shown_agents(Mode mode);

// an episode of the contest
Result<contest::NavigationRecording> record(const NavigationContest& contest, const contest::RecordingRequest& request);

// an errand over a site that the policies do not know; of the request only who drives, and the seed of the noise
Result<contest::NavigationRecording> record(const NavigationContest& contest, const Errand& errand,
                                            const contest::RecordingRequest& request);

}  // namespace elastane::navigation
